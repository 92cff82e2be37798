import { resourceAddress } from "../../language";
import { at } from "../run/objects";
import { isChange } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";

/**
 * Withdraws changes that use a disputed path: another declaration of it was refused, because it means something else now. A new
 * object would go to the other place, away from its siblings.
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
