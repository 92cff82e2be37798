import type { Diagnostic } from "../../diagnostics";
import type { RunContext } from "../run/context";
import { heldBack, heldBackCreate } from "../run/unsettled";
import type { ExecutablePlan } from "../steps/executable-plan";
import type { Step } from "../steps/steps";
import { resourceOf } from "./apply-graph";

/**
 * Takes out of a plan what may not be sent before it is settled what an interrupted run did: a saved plan can be older
 * than that run.
 */
export function holdBack(
  context: RunContext,
  plan: ExecutablePlan,
): { readonly plan: ExecutablePlan; readonly diagnostics: readonly Diagnostic[] } {
  const reasons = new Map<Step, readonly Diagnostic[]>();
  for (const step of context.unsettled === undefined ? [] : plan.steps) {
    const why = [...heldBack(context, step.change.address), ...heldBackCreate(context, step)];
    if (why.length > 0) reasons.set(step, why);
  }
  if (reasons.size === 0) return { plan, diagnostics: [] };
  const steps = plan.steps.filter((step) => !reasons.has(step));
  const blocked = [...plan.blocked, ...[...reasons.keys()].map(resourceOf)];
  return { plan: { ...plan, steps, blocked }, diagnostics: [...reasons.values()].flat() };
}
