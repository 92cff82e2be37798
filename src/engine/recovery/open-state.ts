import { type Diagnostic, DiagnosticError, error, mergeDiagnostics, warning } from "../../diagnostics";
import {
  emptyState,
  formatJournal,
  type IntentEntry,
  isSameVersion,
  type PendingJournal,
  parseJournal,
  pendingIntents,
  type State,
  type StateBackend,
  StateEditor,
  type Version,
} from "../../state";
import type { RunContext } from "../run/context";
import { keepAt } from "../run/sensitive";
import { sensitivePathsOf } from "../run/sensitivity";
import { type Merged, mergeEnded, mergeMissing } from "./merge";
import { settleOpen } from "./settle-open";
import { refuseWhileMoving } from "./unsettled";

/** A state that a run may rest on: nothing of what an interrupted run did is missing in it. */
export interface OpenedState {
  readonly state: State | undefined;
  /** What to go on with: it knows of what could not be settled. */
  readonly context: RunContext;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a state, under its lock. Where an interrupted run left a journal, what was answered is taken over from it, what
 * was not is settled by looking at the service, and the state is saved; each is told by an event. Of what can't be
 * settled the journal keeps its line, and nothing may be sent for that object.
 *
 * @throws DiagnosticError where nothing can be settled, or anything can't and the first failure is to end the run; then
 * nothing is changed, and the journal stays.
 */
export async function openState(context: RunContext, backend: StateBackend): Promise<OpenedState> {
  const text = await backend.journal.read();
  refuseWhileMoving(text, backend.journal.description);
  const state = await backend.read();
  const journal = text === undefined ? undefined : parseJournal(text, backend.journal.description);
  if (journal === undefined) {
    // Nothing was noted before its maker was killed.
    if (text !== undefined) await backend.journal.clear();
    return { state, context, diagnostics: [] };
  }
  for (const entry of journal.entries) {
    if (entry.kind !== "begun") continue;
    const { instance, prior, planned } = entry.change;
    for (const values of [prior, planned])
      keepAt(context.sensitive, values?.attributes, sensitivePathsOf({ attributes: {}, ...instance }, {}));
  }
  const editor = new StateEditor(state ?? { ...emptyState(), lineage: journal.head.lineage });
  const { merged, diagnostics } = merge(journal, editor, backend);
  for (const one of merged) tell(context, one, "done");
  const { unsettled, diagnostics: told } = await settleOpen(context, editor, pendingIntents(journal));
  if (unsettled !== undefined && context.failFast) throw new DiagnosticError([...unsettled.diagnostics]);
  await save(journal, editor, backend, unsettled?.begun ?? [], state !== undefined);
  return {
    state: await backend.read(),
    context: unsettled === undefined ? context : { ...context, unsettled },
    diagnostics: mergeDiagnostics(diagnostics, told),
  };
}

/** Saves what was found, and leaves in the journal what is still open. */
async function save(
  { head, entries }: PendingJournal,
  editor: StateEditor,
  backend: StateBackend,
  kept: readonly IntentEntry[],
  exists: boolean,
): Promise<void> {
  // What is kept belongs to a state, even where that has nothing in it yet.
  if (exists || !editor.isEmpty || kept.length > 0)
    await backend.write(editor.snapshot(), (version) =>
      backend.journal.replace(formatJournal({ ...head, states: [...head.states, version] }, entries)),
    );
  if (kept.length === 0) await backend.journal.clear();
  else await backend.journal.replace(formatJournal({ ...head, states: [backend.version ?? null] }, kept));
}

const tell = ({ onEvent }: RunContext, { id, ...one }: Merged, outcome: "done"): void =>
  onEvent?.({ kind: "settled", ...one, outcome, ...(id !== undefined && { id }) });

function merge(
  journal: PendingJournal,
  editor: StateEditor,
  backend: StateBackend,
): { readonly merged: readonly Merged[]; readonly diagnostics: Diagnostic[] } {
  const { version, description } = backend;
  if (version !== undefined && version.lineage !== journal.head.lineage) refuseOther(backend);
  if (mayFollow(journal, version)) return { merged: mergeEnded(journal, editor), diagnostics: [] };
  if (version === undefined) refuseLost(backend);
  const { merged, left } = mergeMissing(journal, editor);
  return { merged, diagnostics: [movedOn(description), ...left.map(taken)] };
}

/** Whether the state is the one that the run found, or one that it saved. */
const mayFollow = ({ head, entries }: PendingJournal, version: Version | undefined): boolean =>
  [...head.states, ...entries.flatMap((entry) => (entry.kind === "saving" ? [entry.state] : []))].some(
    (one) => isSameVersion(one ?? undefined, version),
  );

function refuseOther({ description, journal }: StateBackend): never {
  throw new DiagnosticError(
    error({
      code: "journal_of_another_state",
      summary: "Journal of another state",
      detail:
        `${journal.description} records an interrupted run on a state other than the one in ${description}. ` +
        "Nothing was changed. Restore the state it belongs to; if that state is obsolete, move the journal away.",
    }),
  );
}

function refuseLost({ description, journal }: StateBackend): never {
  throw new DiagnosticError(
    error({
      code: "journal_without_state",
      summary: "Journal without its state",
      detail:
        `${journal.description} records an interrupted run on the state ${description}, which no longer exists. ` +
        'Nothing was changed. Restore the state, for example from the copy that ends in ".backup"; to start over, move the ' +
        "journal away as well.",
    }),
  );
}

const movedOn = (description: string): Diagnostic =>
  warning({
    code: "journal_overtaken",
    summary: "State was changed after an interrupted run",
    detail:
      `Another process wrote ${description} after a run was interrupted with unsaved changes. The changes that the state ` +
      "lacked were added; everything else is unchanged. Find out which process writes the state without taking its lock.",
  });

const taken = ({ address, id }: Merged): Diagnostic =>
  warning({
    code: "journal_overtaken",
    summary: "Object of an interrupted run is not in the state",
    detail:
      `An interrupted run created the object ${JSON.stringify(id ?? "")} for ${address}, but the state now holds another ` +
      "one at that address. Delete the object on the service, or declare it at a new address and import it.",
    address,
  });
