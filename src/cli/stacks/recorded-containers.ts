import { type Plan, type ResourceChange, recordedPaths } from "../../engine";
import { containerOf } from "../printing/place";

/**
 * A plan that was made elsewhere or earlier, with the paths of the projects and groups that its declarations name by id, as far as
 * the data sources in it show them.
 */
export function withRecordedContainers(plan: Plan): Plan {
  const paths = recordedPaths(plan);
  if (paths.size === 0) return plan;
  const named = (change: ResourceChange): ResourceChange => {
    const container = containerOf(change);
    const path = container && paths.get(`${container.kind} ${container.name}`);
    return path === undefined ? change : { ...change, container: { ...container!, name: path } };
  };
  return { ...plan, changes: plan.changes.map(named), drift: plan.drift.map(named) };
}
