import { type Configuration, resourceAddress } from "../../language";
import type { OutputState, StateEditor } from "../../state";
import { nameOfStep } from "../plan/planned-steps";
import { nameOf } from "../run/objects";
import type { ExecutablePlan } from "../steps/executable-plan";
import { storedValues } from "../steps/state-instance";
import { priorOf } from "../steps/steps";
import { resourceOf } from "./apply-graph";

/**
 * Updates a state with what the plan found and knows before any change is applied: refreshed, imported and
 * forgotten objects, and known outputs.
 */
export function prepareState(editor: StateEditor, plan: ExecutablePlan, { resources }: Configuration): void {
  for (const { object, live } of plan.drifted) {
    const address = resourceAddress(object.resource);
    if (live === undefined) editor.remove(address, nameOf(object));
    else editor.put(object.resource, { ...object.instance, ...storedValues(live) });
  }
  for (const step of plan.steps) {
    const { change, object } = step;
    if (change.action === "forget") editor.remove(resourceOf(step), nameOfStep(step));
    if (change.importing !== undefined)
      editor.put(object!.resource, { ...object!.instance, ...storedValues(priorOf(step)!) });
  }
  for (const { action, name, after, afterType: type, sensitive } of plan.outputs)
    if ((action === "create" || action === "update") && type !== undefined && after !== null)
      editor.setOutput(name, { value: after as OutputState["value"], type, sensitive });
  editor.removeResources(({ mode }, address) => mode === "data" && !resources.has(address));
}
