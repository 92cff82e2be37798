import { type Diagnostic, fail, warning } from "../../diagnostics";
import type { StateBackend } from "../state/backend";

/** Refuses to change a state by hand while an interrupted run is not settled: its journal would bring the old back. */
export async function refuseUnsettled({ journal, description }: StateBackend): Promise<void> {
  if (isEmpty(await journal.read())) return;
  fail({
    code: "journal_not_settled",
    summary: "An interrupted run is not settled yet",
    detail:
      `${journal.description} tells what an interrupted run did, and the state ${description} may lack a part of it. ` +
      "Nothing was changed. Run `steward plan`, which settles it, and then this command again.",
  });
}

/** What to say of a state that is only read, without its lock: a part of what was done may not be in it yet. */
export async function unsettledWarning({ journal }: StateBackend): Promise<readonly Diagnostic[]> {
  if (isEmpty(await journal.read())) return [];
  return [
    warning({
      code: "journal_not_settled",
      summary: "A run is under way, or was interrupted",
      detail:
        `What ${journal.description} tells of may not be in the state yet, and is not compared. Once nobody works on ` +
        "the state, `steward plan` settles it.",
    }),
  ];
}

const isEmpty = (text: string | undefined): boolean => text === undefined || text === "";
