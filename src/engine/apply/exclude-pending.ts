import type { Diagnostic } from "../../diagnostics";
import type { RunContext } from "../run/context";
import { heldBack, heldBackCreate } from "../run/unsettled";
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
  for (const step of context.unsettled === undefined ? [] : plan.steps) {
    const problems = [...heldBack(context, step.change.address), ...heldBackCreate(context, step)];
    if (problems.length > 0) reasons.set(step, problems);
  }
  if (reasons.size === 0) return { plan, diagnostics: [] };
  const steps = plan.steps.filter((step) => !reasons.has(step));
  const blocked = [...plan.blocked, ...[...reasons.keys()].map(resourceOf)];
  return { plan: { ...plan, steps, blocked }, diagnostics: [...reasons.values()].flat() };
}
