import { resourceAddress } from "../../language";
import type { PlanMode } from "../model/plan";
import { nameOf } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { PlanState } from "./plan-state";
import type { PlannedSteps } from "./planned-steps";
import type { ResourceVisits } from "./resource-visits";

interface LeavingDependencies {
  readonly run: StackRun;
  readonly mode: PlanMode;
  readonly planState: PlanState;
  readonly steps: PlannedSteps;
  readonly visits: ResourceVisits;
}

/**
 * The names of objects that are no longer declared, and that the plan leaves as they are, such as those that can't be
 * read: declarations may take them over all the same.
 */
export function leftBehind({
  run,
  mode,
  planState,
  steps,
  visits,
}: LeavingDependencies): ReadonlySet<string> {
  if (mode !== "normal") return new Set();
  const { resources } = run.context.configuration;
  const left = planState.managed.filter((object) => {
    if (steps.has(nameOf(object))) return false;
    const resource = resourceAddress(object.resource);
    return !resources.has(resource) || visits.get(resource)?.declares(object.address) === false;
  });
  return new Set(left.map(nameOf));
}
