import { DiagnosticError, hasErrors } from "../../diagnostics";
import type { OpenStack, StackOutcome } from "../../engine";
import type { ApplyArguments } from "../arguments/apply";
import { openPolicies } from "../policy/open-policies";
import type { Policies } from "../policy/policies";
import { reportObservers } from "../reports/observers";
import { isApproved, requireApproval } from "../run/approval";
import { eachStack } from "../run/each-stack";
import { Limits } from "../run/limits";
import { applyWaves } from "../run/waves";
import type { Terminal } from "../terminal/terminal";
import type { ChangedStack } from "../views/approval";
import type { RunView } from "../views/run-view";
import { applySaved } from "./apply-saved";

/** Plans, asks for approval, and applies, or applies a saved plan. `destroy` is another mode of it. */
export async function apply(args: ApplyArguments, terminal: Terminal): Promise<number> {
  if (args.approved !== undefined) {
    const { applyApproved }: typeof import("./apply-approved") = require("./apply-approved");
    return applyApproved(args.approved, args, terminal);
  }
  if (args.plan === undefined) requireApproval(args.mode === "destroy" ? "destroy" : "apply", args, terminal);
  if (args.plan !== undefined) return applySaved(args.plan, args, terminal);
  const isDestroy = args.mode === "destroy";
  const limits = new Limits(args);
  const changed: ChangedStack[] = [];
  const observers = reportObservers(isDestroy ? "destroy" : "apply", args, terminal);
  const policies = openPolicies(args, terminal, args.config === undefined ? undefined : "--config");
  const options = {
    policies,
    locksFor: isDestroy ? "destroy" : "apply",
    reversed: isDestroy,
    compares: true,
    waits: true,
    observers,
  };
  const outcome = await eachStack(args, terminal, options, (stack, view) =>
    applyStack(stack, view, args, terminal, { limits, policies }, changed),
  );
  return outcome === "failed" ? 1 : 0;
}

/** What may refuse a plan. */
interface Guards {
  readonly limits: Limits;
  readonly policies: Policies;
}

async function applyStack(
  stack: OpenStack,
  view: RunView,
  args: ApplyArguments,
  terminal: Terminal,
  { limits, policies }: Guards,
  changed: ChangedStack[],
): Promise<StackOutcome> {
  await stack.recover();
  const { requests, ...plan } = await stack.plan({ ...args, requests: limits.needRequests });
  await view.stopProgress();
  const violations = policies.violations(plan, stack.name);
  view.plan({ ...plan, diagnostics: [...plan.diagnostics, ...violations] });
  const hasFailed = hasErrors(plan.diagnostics);
  if (!stack.canApply(plan)) return "failed";
  const refusals = limits.refusals({ ...plan, ...(requests && { requests }) });
  if (hasErrors(violations)) {
    view.diagnostics(refusals);
    view.notice("Nothing of this plan was sent, because a policy refuses it.");
    return "failed";
  }
  if (refusals.length > 0) throw new DiagnosticError(refusals);
  if (plan.hasChanges && !(await isApproved(stack, view, args, terminal, changed))) return "failed";
  const result =
    args.wave === undefined ? await stack.apply(plan) : await applyWaves(stack, view, plan, args);
  changed.push({ name: stack.name, done: result.done });
  await view.stopProgress();
  view.applied(args.mode, result);
  return hasFailed || hasErrors(result.diagnostics) ? "failed" : "found";
}
