import { differences } from "../../provider/schema";
import type { Plan } from "../plan/plan";
import { partOf } from "../plan/plan-result";
import type { Step } from "../plan/steps";
import type { DriftedObject } from "./detect-drift";

/** The part of a plan that undoes drift, and what it leaves alone. */
export interface Repair {
  readonly plan: Plan;
  /** Drifted objects that are not repaired, each with why. */
  readonly left: readonly { readonly address: string; readonly reason: string }[];
}

/**
 * Takes out of a plan what brings drifted objects back, and nothing that the code changed since it was applied: an
 * object of which both moved on is left to a person.
 */
export function repairOf(plan: Plan, drifted: readonly DriftedObject[]): Repair {
  const left: { address: string; reason: string }[] = [];
  const undone = new Set<string>();
  for (const one of drifted) {
    const { address } = one.change;
    const step = plan.steps.find(({ change }) => change.address === address && change.deposed === undefined);
    const reason = obstacle(one, step);
    if (reason === undefined) undone.add(address);
    else left.push({ address, reason });
  }
  return { plan: partOf(plan, undone), left };
}

/** Why a step does not just undo the drift of its object; nothing where it does. */
function obstacle({ kind, attributes }: DriftedObject, step: Step | undefined): string | undefined {
  if (step === undefined) return "it could not be planned: see the errors";
  const { action, before, after } = step.change;
  if (action === "no-op") return "the code says by now what is live: apply takes that over into the state";
  if (kind === "vanished") return action === "create" ? undefined : `the plan is to ${action} it`;
  if (action !== "update") return "undoing it takes a new object: look at the plan, and apply it";
  const drifted = new Set(attributes);
  const others = differences(step.change.attributes, before ?? {}, after ?? {})
    .filter(({ name, attribute }) => !drifted.has(name) && attribute.presence !== "computed")
    .map(({ name }) => name);
  if (others.length === 0) return undefined;
  return `${others.join(", ")} would change as well, which is no drift: look at the plan, and apply it`;
}
