import { fromPlain, impliedType, type ResourceDeclaration, unknown, type Value } from "../../language";
import { checkInstance, hasConditions, registerConditions } from "../lifecycle/instance-conditions";
import type { PlanMode } from "../model/plan";
import { aggregate, expand, type InstanceKey } from "../run/instances";
import { sensitivePathsOf } from "../run/sensitivity";
import type { StackRun } from "../run/stack-run";
import { heldBack } from "../run/unsettled";
import type { LiveObjects } from "./live-objects";
import type { ObjectPlaces } from "./object-places";
import type { Ends } from "./plan-ends";

interface Surroundings {
  readonly run: StackRun;
  readonly mode: PlanMode;
  readonly places: ObjectPlaces;
  readonly live: LiveObjects;
  readonly ends: Ends;
}

/** In the other modes an object is what the state, refreshed, says; a destroy plans its end. */
export async function visitWithoutPlanning(
  surroundings: Surroundings,
  declaration: ResourceDeclaration,
): Promise<"done" | "failed"> {
  const { run, mode, places, live, ends } = surroundings;
  registerConditions(run, declaration);
  const { attributes } = run.schema(declaration);
  const values = new Map<InstanceKey, Value>();
  let outcome: "done" | "failed" = "done";
  for (const object of places.objects.current.get(declaration.address) ?? []) {
    const open = heldBack(run.context, object.address);
    if (open.length > 0) outcome = run.report(open);
    const refreshed = await live.find(object.address);
    if (refreshed === undefined) continue;
    if (run.report(refreshed.diagnostics) === "failed") outcome = "failed";
    if (refreshed.live !== undefined) {
      values.set(object.instance.indexKey, fromPlain(refreshed.live.attributes, impliedType(attributes)));
      if (mode === "destroy" && outcome === "done") outcome = await ends.plan(object, refreshed.live);
    }
  }
  const value = aggregate(declaration, values) ?? unknown(impliedType(attributes));
  run.evaluation.set(declaration.address, value);
  if (mode === "refresh-only") await checkRefreshed(surroundings, declaration);
  return outcome;
}

/** A look at what is there doesn't fail because of conditions; it tells of them. */
async function checkRefreshed({ run, live }: Surroundings, declaration: ResourceDeclaration): Promise<void> {
  if (!hasConditions(declaration)) return;
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  run.report(diagnostics);
  registerConditions(
    run,
    declaration,
    instances.map(({ address }) => address),
  );
  const { attributes } = run.schema(declaration);
  for (const instance of instances) {
    const stage = { run: run, declaration, instance };
    const refreshed = await live.find(instance.address);
    const sensitive = sensitivePathsOf(refreshed?.object.instance, attributes);
    run.report(checkInstance(stage, "precondition", undefined, true));
    run.report(
      checkInstance(stage, "postcondition", { values: refreshed?.live?.attributes, sensitive }, true),
    );
  }
}
