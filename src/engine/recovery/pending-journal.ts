import { type Diagnostic, fail, warning } from "../../diagnostics";
import type { JournalStore, StateBackend, StateMove } from "../../state";
import { moveInJournal, openMoveWarning, rejectOpenMove } from "./state-move";

/**
 * Rejects a manual change of the state while an interrupted run is not recovered: its journal would undo that
 * change.
 */
export async function requireRecovered(backend: StateBackend): Promise<void> {
  const move = await openMove(backend);
  if (move !== undefined) rejectOpenMove(move, backend.journal.description);
}

/**
 * The unfinished move in a journal.
 *
 * @throws DiagnosticError if the journal records an interrupted run
 */
export async function openMove({ journal, description }: StateBackend): Promise<StateMove | undefined> {
  const text = await journal.read();
  if (isEmpty(text)) return undefined;
  const move = moveInJournal(text);
  if (move !== undefined) return move;
  return fail({
    code: "journal_not_settled",
    summary: "An interrupted run has not been recovered",
    detail:
      `${journal.description} records an interrupted run, and the state ${description} may lack some of its changes. ` +
      "Nothing was changed. Run a plan, which recovers it, then run this command again.",
    action: { kind: "plan" },
  });
}

/** The warning for a state that is read without its lock: it may lack changes. */
export async function pendingWarning({ journal }: StateBackend): Promise<readonly Diagnostic[]> {
  return journalWarning(await journal.read(), journal);
}

/** The same warning for a journal that was already read. */
export function journalWarning(
  text: string | undefined,
  journal: Pick<JournalStore, "description">,
): readonly Diagnostic[] {
  if (isEmpty(text)) return [];
  const move = moveInJournal(text);
  if (move !== undefined) return [openMoveWarning(move, journal.description)];
  return [
    warning({
      code: "journal_not_settled",
      summary: "A run is in progress or was interrupted",
      detail:
        `${journal.description} lists changes that the state may lack. This command ignores them. ` +
        "If no other run is in progress, a plan recovers them; it takes the state's lock.",
      action: { kind: "plan" },
    }),
  ];
}

/** Rejects work on a state with an unfinished move, which only `steward state mv` can complete. */
export function requireNoOpenMove(text: string | undefined, journal: string): void {
  const move = moveInJournal(text);
  if (move !== undefined) rejectOpenMove(move, journal);
}

const isEmpty = (text: string | undefined): boolean => text === undefined || text === "";
