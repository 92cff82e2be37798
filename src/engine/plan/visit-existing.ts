import { fromPlain, impliedType, type ResourceDeclaration, unknown, type Value } from "../../language";
import { declaredPaths } from "../objects/identities";
import type { Refreshed } from "../objects/refresh";
import { recoveryProblems } from "../recovery/pending-recovery";
import { sensitivePathsOf } from "../results/redaction";
import { checkInstance, hasConditions, registerConditions } from "../stack-run/conditions";
import { aggregate, expand, type InstanceKey, instanceConfig } from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";
import type { LeavingObjects } from "./leaving-objects";
import type { PlanGraph } from "./plan-graph";

/**
 * Visits a resource in a refresh-only plan or a destroy. In expressions, the resource then has its refreshed values.
 *
 * @param leave is called with each object that a destroy removes
 */
export async function visitExisting(
  plan: PlanGraph,
  declaration: ResourceDeclaration,
  leave: LeavingObjects["destroy"],
) {
  const { run, mode } = plan;
  registerConditions(run.checks, declaration.address, declaration.lifecycle);
  const { attributes } = run.schema(declaration);
  const values = new Map<InstanceKey, Value>();
  let outcome: "done" | "failed" = "done";
  for (const object of plan.objects.current.get(declaration.address) ?? []) {
    const pending = recoveryProblems(run.context.pendingRecovery, object.address);
    if (pending.length > 0) outcome = run.report(pending);
    const refreshed = await plan.find(object.address);
    if (refreshed === undefined) continue;
    if (run.report(refreshed.diagnostics) === "failed") outcome = "failed";
    if (mode === "refresh-only" && (await reportPaths(run, declaration, refreshed)) === "failed")
      outcome = "failed";
    if (refreshed.live !== undefined) {
      values.set(object.instance.indexKey, fromPlain(refreshed.live.attributes, impliedType(attributes)));
      if (mode === "destroy" && outcome === "done") leave(object, refreshed.live);
    }
  }
  const value = aggregate(declaration, values) ?? unknown(impliedType(attributes));
  run.evaluation.set(declaration.address, value);
  if (mode === "refresh-only") await checkRefreshed(plan, declaration);
  return outcome;
}

/** Reports problems with the paths in the declaration of an object, such as changed paths. */
async function reportPaths(run: StackRun, declaration: ResourceDeclaration, refreshed: Refreshed) {
  const { address } = refreshed.object;
  const instance = expand(declaration, run.evaluation).instances.find((one) => one.address === address);
  if (instance === undefined) return "done";
  return run.report(await declaredPaths(run, refreshed, instanceConfig(run, declaration, instance).config));
}

/** Evaluates the conditions of a resource in a refresh-only plan, where failed conditions are only warnings. */
async function checkRefreshed(plan: PlanGraph, declaration: ResourceDeclaration): Promise<void> {
  const { run } = plan;
  if (!hasConditions(declaration.lifecycle)) return;
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  run.report(diagnostics);
  registerConditions(run.checks, declaration.address, declaration.lifecycle, instances);
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
