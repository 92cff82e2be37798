import { resourceAddress } from "../../language";
import { at } from "../run/objects";
import { isChange } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";

/**
 * Withdraws changes that name a path of which another declaration was refused, because it means something else now than when it was
 * applied: a new object would stand in the other place, while those that belong to it stay where they are.
 */
export function refuseDisputed({ run, steps, blocked }: PlanGraph): void {
  for (const step of steps.planned) {
    const { change, provider, planned, declared } = step;
    if (planned === undefined || !isChange(step)) continue;
    const disputed = run.configured(provider)?.disputedPaths?.(change.type, planned) ?? [];
    if (disputed.length === 0) continue;
    run.report(at(disputed, change.address, declared?.declaration.construct));
    steps.remove(step);
    blocked.add(resourceAddress(change));
  }
}
