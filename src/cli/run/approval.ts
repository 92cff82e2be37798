import { fail } from "../../diagnostics";
import type { OpenStack, PlanMode } from "../../engine";
import type { Terminal } from "../terminal/terminal";
import { approvalQuestion, type ChangedStack, isApproval, notApproved } from "../views/approval";
import type { RunView } from "../views/run-view";

interface ApprovalOptions {
  readonly mode: PlanMode;
  /** Skips the question. */
  readonly autoApprove: boolean;
}

/** Whether the shown plan may be applied. If not, reports what this run changed in earlier stacks. */
export async function isApproved(
  stack: Pick<OpenStack, "name" | "stop" | "serviceUsers">,
  view: RunView,
  { autoApprove, mode }: ApprovalOptions,
  terminal: Terminal,
  before: readonly ChangedStack[],
): Promise<boolean> {
  if (autoApprove) return true;
  const { name, stop } = stack;
  const question = approvalQuestion(mode, name, await stack.serviceUsers());
  if (isApproval(await terminal.ask(question, stop))) return true;
  view.notice(notApproved(name, before));
  return false;
}

/** The command that shows what another one would change; `plan` for all others. */
const REVIEWS: Readonly<Record<string, string>> = { destroy: "plan --destroy", "drift --repair": "drift" };

/** Refuses a command that must ask for approval without a terminal, before anything changes. */
export function requireApproval(
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
      `Nothing was changed. Review the changes with \`steward ${REVIEWS[command] ?? "plan"}\`, then give --auto-approve.`,
  });
}
