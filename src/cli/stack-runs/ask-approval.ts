import { fail } from "../../diagnostics";
import type { ApplyResult, OpenStack, PlanMode } from "../../engine";
import type { ApplyArguments } from "../arguments/plan";
import type { Terminal } from "../terminal/terminal";
import type { PlanTotals, RunView } from "../views/run-view";
import { planSentence } from "../views/summary";

/** Returns the lines of the question that repeat the totals of the plan. */
const totalLines = ({ counts, access }: PlanTotals): string[] => [
  `  ${planSentence(counts)}`,
  ...(access === undefined ? [] : [`  Access: ${access}`]),
];

/**
 * Asks for approval of the shown plan, unless `autoApprove` is set. Returns true if the plan is approved. If the plan is not
 * approved, reports the changes that this run already made in earlier stacks.
 */
export async function isApproved(
  stack: Pick<OpenStack, "name" | "stop" | "serviceUsers">,
  totals: PlanTotals,
  view: RunView,
  { autoApprove, mode }: Pick<ApplyArguments, "autoApprove" | "mode">,
  terminal: Terminal,
  before: readonly ChangedStack[],
): Promise<boolean> {
  if (autoApprove) return true;
  const { name, stop } = stack;
  const services = await stack.serviceUsers();
  view.stopProgress();
  const question = [
    "",
    `${QUESTIONS[mode]}${name === undefined ? "" : ` in the stack "${name}"`}?`,
    ...totalLines(totals),
    ...services.map(({ service, user }) => `  On ${service}${user === undefined ? "" : ` as ${user}`}.`),
  ];
  if (await asksApproval(terminal, question, mode === "destroy" ? "There is no undo. " : "", stop))
    return true;
  view.notice(notApproved(name, before));
  return false;
}

/** Asks a question. Returns true only for the reply `yes`. */
export async function asksApproval(
  terminal: Pick<Terminal, "ask">,
  question: readonly string[],
  warning = "",
  stop?: AbortSignal,
): Promise<boolean> {
  const hint = `  ${warning}Only 'yes' will be accepted to approve.`;
  return (await terminal.ask([...question, hint, "", "  Enter a value: "], stop))?.trim() === "yes";
}

/**
 * For each command that makes changes: the command that only shows these changes. For commands that are not in this table,
 * `plan` shows the changes.
 */
const REVIEWS: Readonly<Record<string, string>> = { destroy: "plan --destroy", "drift --repair": "drift" };

/** Returns true if Steward may ask questions: a person can reply on the terminal, and TF_INPUT does not forbid questions. */
export const canAsk = ({ isInteractive, env }: Pick<Terminal, "isInteractive" | "env">): boolean =>
  isInteractive && !/^(?:0|false)$/.test(env["TF_INPUT"] ?? "");

/** Returns the reason why a command can't ask for approval, as a part of a sentence. */
export function reasonNotToAsk(json: boolean, { isInteractive }: Pick<Terminal, "isInteractive">): string {
  if (json) return "--json is not interactive";
  return isInteractive ? "TF_INPUT forbids questions" : "there is no terminal";
}

/** Refuses a command that has to ask for approval but has no terminal. Throws before the run changes anything. */
export function requireApproval(
  command: string,
  { autoApprove, json }: { readonly autoApprove: boolean; readonly json: boolean },
  terminal: Pick<Terminal, "isInteractive" | "env">,
): void {
  if (autoApprove || (canAsk(terminal) && !json)) return;
  fail({
    code: "approval_needed",
    summary: "Approval required",
    detail:
      `\`steward ${command}\` asks for approval before it changes anything, but ${reasonNotToAsk(json, terminal)}. ` +
      `Nothing was changed. Review the changes with \`steward ${REVIEWS[command] ?? "plan"}\`, then add --auto-approve.`,
  });
}

/** A stack that this run has already changed, and the totals of these changes. */
export interface ChangedStack {
  readonly name: string | undefined;
  readonly done: ApplyResult["done"];
}

const QUESTIONS: Readonly<Record<PlanMode, string>> = {
  normal: "Do you want to perform these actions",
  destroy: "Do you really want to destroy all of this",
  "refresh-only": "Do you want to update the state with these changes",
};

/**
 * Returns the message for a plan that is not approved. The message names the changes that the run has already made in earlier
 * stacks.
 */
export function notApproved(stack: string | undefined, before: readonly ChangedStack[]): string {
  const changed = before.filter(({ done }) => Object.values(done).some((count) => count > 0));
  if (changed.length === 0) return "Not approved: nothing was changed.";
  const counts = changed.map(
    ({ name = "", done: { add, change, remove } }) =>
      `"${name}" (${add} added, ${change} changed, ${remove} destroyed)`,
  );
  return `Not approved: nothing was changed in the stack "${stack}". This run changed ${counts.join(", ")} before.`;
}
