import { resourceAddress } from "../../language";
import type { OutputState, StateEditor } from "../../state";
import { nameOfStep } from "../plan/planned-steps";
import { nameOf } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { ExecutablePlan } from "../steps/executable-plan";
import { schemaOf, schemaOfObject, storedValues } from "../steps/state-instance";
import { priorOf } from "../steps/steps";
import { resourceOf } from "./apply-graph";

/**
 * Updates a state with what the plan found and knows before any change is applied: refreshed, imported and
 * forgotten objects, and known outputs.
 */
export function prepareState(run: StackRun, editor: StateEditor, plan: ExecutablePlan): void {
  const { resources } = run.context.configuration;
  for (const { object, live } of plan.drifted) {
    const address = resourceAddress(object.resource);
    if (live === undefined) editor.remove(address, nameOf(object));
    else
      editor.put(object.resource, { ...object.instance, ...storedValues(live, schemaOfObject(run, object)) });
  }
  for (const step of plan.steps) {
    const { change, object } = step;
    // What is handed over stays until others have it.
    if (change.action === "forget" && step.handedTo === undefined)
      editor.remove(resourceOf(step), nameOfStep(step));
    const prior = priorOf(step);
    // States of older releases have no identities.
    const isIdentified = prior?.identity !== undefined && object?.instance.identity === undefined;
    if (change.importing !== undefined || (change.action === "no-op" && object !== undefined && isIdentified))
      editor.put(object!.resource, { ...object!.instance, ...storedValues(prior!, schemaOf(run, step)) });
  }
  for (const { action, name, after, afterType: type, sensitive } of plan.outputs)
    if ((action === "create" || action === "update") && type !== undefined && after !== null)
      editor.setOutput(name, { value: after as OutputState["value"], type, sensitive });
  editor.removeResources(({ mode }, address) => mode === "data" && !resources.has(address));
}
