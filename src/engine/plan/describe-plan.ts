import type { PlanDescriptions } from "../model/plan";
import type { StackRun } from "../run/stack-run";
import type { Step } from "../steps/steps";
import { describeAccess, describeRights } from "./describe-access";
import { rehearse } from "./rehearse";

/**
 * What was asked for beside the plan.
 *
 * @param unchecked addresses of the objects that could not be read
 * @param blockedNodes nodes that failed or were skipped
 */
export async function describePlan(
  run: StackRun,
  steps: readonly Step[],
  unchecked: readonly string[],
  blockedNodes: ReadonlySet<string>,
): Promise<PlanDescriptions> {
  const { configuration, describesAccess = false, describesRights = false, rehearses = false } = run.context;
  const blocked = [...blockedNodes].filter((id) => configuration.resources.has(id));
  const unplanned = [...unchecked, ...blocked];
  const access =
    describesAccess &&
    (await run.guard("access", () =>
      describeAccess(run, steps, unplanned, { isWhole: describesAccess === "whole" }),
    ));
  const rights = describesRights && (await run.guard("rights", () => describeRights(run, steps, unplanned)));
  // Last: a rehearsal leaves the collections as they would be after the changes.
  const requests = rehearses && (await run.guard("requests", () => rehearse(run, steps)));
  return {
    ...(typeof access === "object" && { access }),
    ...(typeof rights === "object" && { rights }),
    ...(typeof requests === "object" && { requests }),
  };
}
