import { type Configuration, resourceAddress } from "../../language";
import type { OutputState, StateEditor } from "../../state";
import { nameOfStep } from "../plan/planned-steps";
import { nameOf } from "../run/objects";
import type { ExecutablePlan } from "../steps/executable-plan";
import { stored } from "../steps/state-instance";
import { priorOf } from "../steps/steps";
import { resourceOf } from "./apply-graph";

/** Brings a state to where applying begins: with what the plan found and knows, whatever becomes of its changes. */
export function beginState(editor: StateEditor, plan: ExecutablePlan, { resources }: Configuration): void {
  for (const { object, live } of plan.drifted) {
    const address = resourceAddress(object.resource);
    if (live === undefined) editor.remove(address, nameOf(object));
    else editor.put(object.resource, { ...object.instance, ...stored(live) });
  }
  for (const step of plan.steps) {
    const { change, object } = step;
    if (change.action === "forget") editor.remove(resourceOf(step), nameOfStep(step));
    if (change.importing !== undefined)
      editor.put(object!.resource, { ...object!.instance, ...stored(priorOf(step)!) });
  }
  for (const { action, name, after, afterType: type, sensitive } of plan.outputs)
    if ((action === "create" || action === "update") && type !== undefined && after !== null)
      editor.setOutput(name, { value: after as OutputState["value"], type, sensitive });
  editor.removeResources(({ mode }, address) => mode === "data" && !resources.has(address));
}
