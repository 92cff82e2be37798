import {
  type Diagnostic,
  DiagnosticError,
  error,
  hasErrors,
  mergeDiagnostics,
  warning,
} from "../../diagnostics";
import { StateEditor } from "../apply/state-editor";
import type { RunContext } from "../run/context";
import type { StateBackend } from "../state/backend";
import { emptyState, type State } from "../state/model";
import { isSameVersion, type Version } from "../state/state-version";
import { type Merged, mergeEnded, mergeMissing } from "./merge";
import { type LeftJournal, openEntries, parseJournal } from "./read-journal";
import { settleOpen } from "./settle-open";

/** A state that a run may rest on: nothing of what an interrupted run did is missing in it. */
export interface OpenedState {
  readonly state: State | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a state, under its lock. Where an interrupted run left a journal, what was answered is taken over from it, what
 * was not is settled by looking at the service, and the state is saved; each is told by an event.
 *
 * @throws DiagnosticError where something can't be settled; then nothing is changed, and the journal stays.
 */
export async function openState(context: RunContext, backend: StateBackend): Promise<OpenedState> {
  const text = await backend.journal.read();
  const state = await backend.read();
  const journal = text === undefined ? undefined : parseJournal(text, backend.journal.description);
  if (journal === undefined) {
    // Nothing was noted before its maker was killed.
    if (text !== undefined) await backend.journal.clear();
    return { state, diagnostics: [] };
  }
  const editor = new StateEditor(state ?? { ...emptyState(), lineage: journal.head.lineage });
  const { merged, diagnostics } = merge(journal, editor, backend);
  for (const one of merged) tell(context, one, "done");
  const open = openEntries(journal);
  if (open.length > 0) diagnostics.push(...(await settleOpen(context, editor, open)));
  if (hasErrors(diagnostics)) throw new DiagnosticError(mergeDiagnostics(diagnostics));
  if (state !== undefined || !editor.isEmpty) await backend.write(editor.snapshot());
  await backend.journal.clear();
  return { state: await backend.read(), diagnostics: mergeDiagnostics(diagnostics) };
}

const tell = ({ onEvent }: RunContext, { id, ...one }: Merged, outcome: "done"): void =>
  onEvent?.({ kind: "settled", ...one, outcome, ...(id !== undefined && { id }) });

function merge(
  journal: LeftJournal,
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
const mayFollow = ({ head, entries }: LeftJournal, version: Version | undefined): boolean =>
  [...head.states, ...entries.flatMap((entry) => (entry.kind === "saving" ? [entry.state] : []))].some(
    (one) => isSameVersion(one ?? undefined, version),
  );

function refuseOther({ description, journal }: StateBackend): never {
  throw new DiagnosticError(
    error({
      code: "journal_of_another_state",
      summary: "Journal of another state",
      detail:
        `${journal.description} tells what an interrupted run did with another state than the one in ${description}. ` +
        "Nothing was changed. Bring back the state that it belongs to; if that is of no use any more, move the journal away.",
    }),
  );
}

function refuseLost({ description, journal }: StateBackend): never {
  throw new DiagnosticError(
    error({
      code: "journal_without_state",
      summary: "Journal without its state",
      detail:
        `${journal.description} tells what an interrupted run did with the state ${description}, and that is gone. ` +
        'Nothing was changed. Bring back the state, such as the copy that ends in ".backup"; to begin anew, move the ' +
        "journal away too.",
    }),
  );
}

const movedOn = (description: string): Diagnostic =>
  warning({
    code: "journal_overtaken",
    summary: "State was changed since a run was interrupted",
    detail:
      `Somebody else wrote ${description} since a run was interrupted that had not saved all that it did. What the state ` +
      "lacks was added to it, and all else was left as it is. Find out who works on it without regard to the lock.",
  });

const taken = ({ address, id }: Merged): Diagnostic =>
  warning({
    code: "journal_overtaken",
    summary: "Made by an interrupted run, and not in the state",
    detail:
      `An interrupted run made the object ${JSON.stringify(id ?? "")} for ${address}, and by now the state holds another ` +
      "one there. Delete the object on the service, or declare it anew and import it.",
    address,
  });
