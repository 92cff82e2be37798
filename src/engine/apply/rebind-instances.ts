import type { ResourceDeclaration } from "../../language";
import { expand } from "../run/instances";
import type { StackRun } from "../run/stack-run";
import type { Step } from "../steps/steps";

/**
 * The steps with their instances expanded again: `count` and `each` may have values that were unknown at plan
 * time.
 */
export function rebindInstances(
  run: StackRun,
  declaration: ResourceDeclaration,
  steps: readonly Step[],
): readonly Step[] {
  const { instances } = expand(declaration, run.evaluation);
  const byAddress = new Map(instances.map((instance) => [instance.address, instance]));
  return steps.map((step) => {
    const instance = byAddress.get(step.change.address);
    return instance === undefined ? step : { ...step, declared: { declaration, instance } };
  });
}
