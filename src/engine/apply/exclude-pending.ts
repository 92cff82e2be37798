import type { Diagnostic } from "../../diagnostics";
import type { RunContext } from "../run/context";
import { createRecoveryProblems, recoveryProblems } from "../run/pending-recovery";
import type { ExecutablePlan } from "../steps/executable-plan";
import type { Step } from "../steps/steps";
import { resourceOf } from "./apply-graph";

/**
 * Removes from a plan the steps of objects whose recovery is pending: a saved plan can be older than the
 * interrupted run.
 */
export function excludePending(
  context: RunContext,
  plan: ExecutablePlan,
): { readonly plan: ExecutablePlan; readonly diagnostics: readonly Diagnostic[] } {
  const reasons = new Map<Step, readonly Diagnostic[]>();
  for (const step of context.pendingRecovery === undefined ? [] : plan.steps) {
    const problems = [
      ...recoveryProblems(context, step.change.address),
      ...createRecoveryProblems(context, step),
    ];
    if (problems.length > 0) reasons.set(step, problems);
  }
  if (reasons.size === 0) return { plan, diagnostics: [] };
  const steps = plan.steps.filter((step) => !reasons.has(step));
  const blocked = [...plan.blocked, ...[...reasons.keys()].map(resourceOf)];
  return { plan: { ...plan, steps, blocked }, diagnostics: [...reasons.values()].flat() };
}
