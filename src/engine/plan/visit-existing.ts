import {
  fromPlain,
  impliedType,
  type ResourceDeclaration,
  resourceAddress,
  unknown,
  type Value,
} from "../../language";
import { checkInstance, hasConditions, registerConditions } from "../checks/conditions";
import { aggregate, expand, type InstanceKey } from "../run/instances";
import { nameOf } from "../run/objects";
import { recoveryProblems } from "../run/pending-recovery";
import { sensitivePathsOf } from "../run/redaction";
import type { Deletes } from "./deletes";
import type { PlanGraph } from "./plan-graph";
import type { ResourceVisits } from "./resource-visits";

/**
 * Visits a resource in a refresh-only plan or a destroy: its value is the refreshed state, and a destroy
 * plans its delete.
 */
export async function visitExisting(
  plan: PlanGraph,
  deletes: Deletes,
  declaration: ResourceDeclaration,
): Promise<"done" | "failed"> {
  const { run, mode } = plan;
  registerConditions(run, declaration);
  const { attributes } = run.schema(declaration);
  const values = new Map<InstanceKey, Value>();
  let outcome: "done" | "failed" = "done";
  for (const object of plan.objects.current.get(declaration.address) ?? []) {
    const pending = recoveryProblems(run.context, object.address);
    if (pending.length > 0) outcome = run.report(pending);
    const refreshed = await plan.find(object.address);
    if (refreshed === undefined) continue;
    if (run.report(refreshed.diagnostics) === "failed") outcome = "failed";
    if (refreshed.live !== undefined) {
      values.set(object.instance.indexKey, fromPlain(refreshed.live.attributes, impliedType(attributes)));
      if (mode === "destroy" && outcome === "done") outcome = await deletes.destroy(object, refreshed.live);
    }
  }
  const value = aggregate(declaration, values) ?? unknown(impliedType(attributes));
  run.evaluation.set(declaration.address, value);
  if (mode === "refresh-only") await checkRefreshed(plan, declaration);
  return outcome;
}

/** In a refresh-only plan, failed conditions are warnings. */
async function checkRefreshed(plan: PlanGraph, declaration: ResourceDeclaration): Promise<void> {
  const { run } = plan;
  if (!hasConditions(declaration)) return;
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  run.report(diagnostics);
  registerConditions(run, declaration, instances);
  const { attributes } = run.schema(declaration);
  for (const instance of instances) {
    const stage = { run, declaration, instance };
    const refreshed = await plan.find(instance.address);
    const sensitive = sensitivePathsOf(refreshed?.object.instance, attributes);
    run.report(checkInstance(stage, "precondition", undefined, true));
    run.report(
      checkInstance(stage, "postcondition", { values: refreshed?.live?.attributes, sensitive }, true),
    );
  }
}

/**
 * The names of objects that are no longer declared, and that the plan leaves as they are, such as those that can't be
 * read: declarations may take them over all the same.
 */
export function leftBehind(
  { run, mode, managed, steps }: PlanGraph,
  visits: ResourceVisits,
): ReadonlySet<string> {
  if (mode !== "normal") return new Set();
  const { resources } = run.context.configuration;
  const left = managed.filter((object) => {
    if (steps.has(nameOf(object))) return false;
    const resource = resourceAddress(object.resource);
    return !resources.has(resource) || visits.get(resource)?.isDeclared(object.address) === false;
  });
  return new Set(left.map(nameOf));
}
