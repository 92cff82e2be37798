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
import { collectSensitive } from "../run/redaction";
import { sensitivePathsOf } from "../run/sensitive-paths";
import { type MergedChange, mergeCommits, mergeMissing } from "./merge-journal";
import { requireNoOpenMove } from "./pending-journal";
import { resolveIntents } from "./resolve-intents";

/** A state that includes everything an interrupted run did, as far as that is known. */
export interface OpenedState {
  readonly state: State | undefined;
  /** The context to continue with; it has the recoveries that are still pending. */
  readonly context: RunContext;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a state under its lock and recovers an interrupted run from its journal: committed changes are
 * merged, the outcome of all others is looked up on the service, and the state is saved. Each recovered
 * change emits an event. A change that can't be recovered stays in the journal, and nothing may be sent for
 * its object.
 *
 * @throws DiagnosticError if nothing can be recovered, or a recovery fails under `failFast`; then nothing is
 * changed and the journal stays
 */
export async function openState(context: RunContext, backend: StateBackend): Promise<OpenedState> {
  const text = await backend.journal.read();
  requireNoOpenMove(text, backend.journal.description);
  const state = await backend.read();
  const journal = text === undefined ? undefined : parseJournal(text, backend.journal.description);
  if (journal === undefined) {
    // The run was killed before its first entry.
    if (text !== undefined) await backend.journal.clear();
    return { state, context, diagnostics: [] };
  }
  for (const entry of journal.entries) {
    if (entry.kind !== "begun") continue;
    const { instance, prior, planned } = entry.change;
    for (const values of [prior, planned])
      collectSensitive(
        context.sensitive,
        values?.attributes,
        sensitivePathsOf({ attributes: {}, ...instance }, {}),
      );
  }
  const editor = new StateEditor(state ?? { ...emptyState(), lineage: journal.head.lineage });
  const { merged, diagnostics } = merge(journal, editor, backend);
  for (const one of merged) emitRecovered(context, one, "done");
  const { pendingRecovery, diagnostics: resolveDiagnostics } = await resolveIntents(
    context,
    editor,
    pendingIntents(journal),
  );
  if (pendingRecovery !== undefined && context.failFast)
    throw new DiagnosticError([...pendingRecovery.diagnostics]);
  await save(journal, editor, backend, pendingRecovery?.intents ?? [], state !== undefined);
  return {
    state: await backend.read(),
    context: pendingRecovery === undefined ? context : { ...context, pendingRecovery },
    diagnostics: mergeDiagnostics(diagnostics, resolveDiagnostics),
  };
}

/** Saves the recovered state; the journal keeps the pending entries. */
async function save(
  { head, entries }: PendingJournal,
  editor: StateEditor,
  backend: StateBackend,
  kept: readonly IntentEntry[],
  exists: boolean,
): Promise<void> {
  // Pending entries refer to a state, even if it is still empty.
  if (exists || !editor.isEmpty || kept.length > 0)
    await backend.write(editor.snapshot(), (version) =>
      backend.journal.replace(formatJournal({ ...head, states: [...head.states, version] }, entries)),
    );
  if (kept.length === 0) await backend.journal.clear();
  else await backend.journal.replace(formatJournal({ ...head, states: [backend.version ?? null] }, kept));
}

const emitRecovered = ({ onEvent }: RunContext, { id, ...one }: MergedChange, outcome: "done"): void =>
  onEvent?.({ kind: "settled", ...one, outcome, ...(id !== undefined && { id }) });

function merge(
  journal: PendingJournal,
  editor: StateEditor,
  backend: StateBackend,
): { readonly merged: readonly MergedChange[]; readonly diagnostics: Diagnostic[] } {
  const { version } = backend;
  if (version !== undefined && version.lineage !== journal.head.lineage) rejectOtherLineage(backend);
  if (isKnownVersion(journal, version)) return { merged: mergeCommits(journal, editor), diagnostics: [] };
  if (version === undefined) rejectMissingState(backend);
  const { merged, conflicts } = mergeMissing(journal, editor);
  return { merged, diagnostics: [stateChanged(backend), ...conflicts.map(addressOccupied)] };
}

/** Whether the state is the one that the run found, or one that it saved. */
const isKnownVersion = ({ head, entries }: PendingJournal, version: Version | undefined): boolean =>
  [...head.states, ...entries.flatMap((entry) => (entry.kind === "saving" ? [entry.state] : []))].some(
    (one) => isSameVersion(one ?? undefined, version),
  );

function rejectOtherLineage({ description, journal }: StateBackend): never {
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

function rejectMissingState({ description, journal }: StateBackend): never {
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

const stateChanged = ({ description, journal }: StateBackend): Diagnostic =>
  warning({
    code: "journal_overtaken",
    summary: "State was changed after an interrupted run",
    detail:
      `${description} is newer than what ${journal.description} notes of an interrupted run: that run could not write its journal ` +
      "any more, or another process wrote the state without taking its lock. The changes that the state lacked were added; " +
      "everything else is unchanged. If the run said nothing of its journal, find that process.",
  });

const addressOccupied = ({ address, id }: MergedChange): Diagnostic =>
  warning({
    code: "journal_overtaken",
    summary: "Object of an interrupted run is not in the state",
    detail:
      `An interrupted run created the object ${JSON.stringify(id ?? "")} for ${address}, but the state now holds another ` +
      "one at that address. Delete the object on the service, or declare it at a new address and import it.",
    address,
  });
