import { type Diagnostic, fail, warning } from "../../diagnostics";
import type { JournalStore, StateBackend, StateMove } from "../../state";
import { noted, openMoveWarning, refuseOpenMove } from "./state-move";

/** Refuses to change a state by hand while an interrupted run is not settled: its journal would bring the old back. */
export async function refuseUnsettled(backend: StateBackend): Promise<void> {
  const move = await openMove(backend);
  if (move !== undefined) refuseOpenMove(move, backend.journal.description);
}

/** The move between two stacks that a journal notes. @throws DiagnosticError where it tells of an interrupted run */
export async function openMove({ journal, description }: StateBackend): Promise<StateMove | undefined> {
  const text = await journal.read();
  if (isEmpty(text)) return undefined;
  const move = noted(text);
  if (move !== undefined) return move;
  return fail({
    code: "journal_not_settled",
    summary: "An interrupted run has not been recovered",
    detail:
      `${journal.description} records an interrupted run, and the state ${description} may lack some of its changes. ` +
      "Nothing was changed. Run `steward plan`, which recovers it, then run this command again.",
  });
}

/** What to say of a state that is only read, without its lock: a part of what was done may not be in it yet. */
export async function unsettledWarning({ journal }: StateBackend): Promise<readonly Diagnostic[]> {
  return warningOf(await journal.read(), journal);
}

/** The same of what was read of a journal. */
export function warningOf(
  text: string | undefined,
  journal: Pick<JournalStore, "description">,
): readonly Diagnostic[] {
  if (isEmpty(text)) return [];
  const move = noted(text);
  if (move !== undefined) return [openMoveWarning(move, journal.description)];
  return [
    warning({
      code: "journal_not_settled",
      summary: "A run is in progress or was interrupted",
      detail:
        `${journal.description} lists changes that the state may lack. This command ignores them. ` +
        "If no other run is in progress, `steward plan` recovers them; it takes the state's lock.",
    }),
  ];
}

/** Refuses to go on where a journal notes a move between two stacks, which only `steward state mv` can finish. */
export function refuseWhileMoving(text: string | undefined, journal: string): void {
  const move = noted(text);
  if (move !== undefined) refuseOpenMove(move, journal);
}

const isEmpty = (text: string | undefined): boolean => text === undefined || text === "";
