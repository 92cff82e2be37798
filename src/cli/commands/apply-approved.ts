import { DiagnosticError, hasErrors } from "../../diagnostics";
import type { OpenStack, StackOutcome } from "../../engine";
import { ApprovedPlans } from "../approval/approved-plans";
import { type Approval, readApproval } from "../approval/file";
import type { ApplyArguments } from "../arguments/apply";
import type { ApprovedArguments } from "../arguments/guards";
import { applyRun } from "../run/apply-run";
import { eachStack } from "../run/each-stack";
import { Limits, withoutRequests } from "../run/limits";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";

/** Applies what people approved, if each change of a new plan is one of these. */
export async function applyApproved(
  { file, digest, approvals }: ApprovedArguments,
  args: ApplyArguments,
  terminal: Terminal,
): Promise<number> {
  return applyApproval(await readApproval(file, digest, terminal), approvals, args, terminal);
}

/** The same for an approval that was read or made before. */
export async function applyApproval(
  approval: Approval,
  approvals: number,
  args: ApplyArguments,
  terminal: Terminal,
): Promise<number> {
  const run = applyRun(args, terminal);
  const limits = new Limits(args);
  const approved = new ApprovedPlans(approval, approvals, run.policies, (stack, leaveOut) =>
    stack.plan({ ...args, requests: limits.hasRequestLimits, leaveOut }),
  );
  const options = {
    ...run,
    prepare: (stacks: readonly OpenStack[], view: RunView) => approved.check(stacks, view),
  };
  const outcome = await eachStack(args, terminal, options, (stack, view) =>
    applyStack(stack, view, args, limits, approved),
  );
  return outcome === "failed" ? 1 : 0;
}

async function applyStack(
  stack: OpenStack,
  view: RunView,
  args: ApplyArguments,
  limits: Limits,
  approved: ApprovedPlans,
): Promise<StackOutcome> {
  await stack.recover();
  const { plan, refusals, warnings, leftOut } = await approved.confirm(stack);
  view.plan({ ...withoutRequests(plan), diagnostics: [...plan.diagnostics, ...warnings] });
  for (const address of leftOut)
    view.notice(`${address} was changed by hand, and nobody approved to revert it: it stays as it is.`);
  const all = [...refusals, ...limits.refusals(plan)];
  if (all.length > 0) throw new DiagnosticError(all);
  if (!stack.canApply(plan)) return "failed";
  const result = await stack.apply(plan);
  view.applied(args.mode, result);
  return hasErrors([...plan.diagnostics, ...result.diagnostics]) ? "failed" : "found";
}
