import { fail } from "../../diagnostics";
import type { OpenStack, PlanMode } from "../../engine";
import type { Terminal } from "../terminal/terminal";
import { approvalQuestion, type ChangedStack, isApproval, notApproved } from "../views/approval";
import type { RunView } from "../views/run-view";

interface Asking {
  readonly mode: PlanMode;
  /** Nobody is asked. */
  readonly autoApprove: boolean;
}

/** Whether a plan that was shown may be applied; says so where it may not, and what this run changed `before`. */
export async function isApproved(
  { name, stop }: Pick<OpenStack, "name" | "stop">,
  view: RunView,
  { autoApprove, mode }: Asking,
  terminal: Terminal,
  before: readonly ChangedStack[],
): Promise<boolean> {
  if (autoApprove || isApproval(await terminal.ask(approvalQuestion(mode, name), stop))) return true;
  view.notice(notApproved(name, before));
  return false;
}

/** Refuses, before anything is done, a command that would have to ask and has nobody to ask. */
export function refuseUnasked(
  command: string,
  { autoApprove, json }: { readonly autoApprove: boolean; readonly json: boolean },
  { interactive }: Pick<Terminal, "interactive">,
): void {
  if (autoApprove || (interactive && !json)) return;
  fail({
    code: "approval_needed",
    summary: "Approval required",
    detail:
      `\`steward ${command}\` asks for approval before it changes anything, but ${json ? "--json is not interactive" : "there is no terminal"}. ` +
      "Nothing was changed. Review the plan with `steward plan`, then give --auto-approve.",
  });
}
