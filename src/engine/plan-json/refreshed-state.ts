import { resourceAddress } from "../../language";
import { isWhollyKnown } from "../../schema";
import { type Json, type State, StateEditor } from "../../state";
import { unknownsAsNull } from "../data/nested-data";
import { nameOf, providerAddress } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { ExecutablePlan } from "../steps/executable-plan";
import { schemaOf, schemaOfObject, stateInstance, storedValues } from "../steps/state-instance";
import { plannedOf, priorOf } from "../steps/steps";

/** The parts of a plan that determine the refreshed state. */
export type Refreshable = Pick<ExecutablePlan, "movedState" | "drifted" | "steps" | "outputs">;

/**
 * The state that a plan is based on: refreshed objects, data sources that were read and, as in Terraform,
 * known outputs.
 */
export function refreshedState(run: StackRun, plan: Refreshable): State {
  const editor = new StateEditor(plan.movedState);
  editor.removeResources(({ mode }) => mode === "data");
  for (const { object, live } of plan.drifted) {
    const address = resourceAddress(object.resource);
    if (live === undefined) editor.remove(address, nameOf(object));
    else
      editor.put(object.resource, { ...object.instance, ...storedValues(live, schemaOfObject(run, object)) });
  }
  for (const step of plan.steps) {
    const { change, object, provider, sensitive } = step;
    const prior = priorOf(step);
    const { mode, type, name, indexKey: key } = change;
    if (object !== undefined && prior !== undefined)
      editor.put(object.resource, { ...object.instance, ...storedValues(prior, schemaOf(run, step)) });
    const wasRead = change.action === "no-op" || change.reason === "read_because_check_nested";
    if (mode === "managed" || !wasRead) continue;
    const schema = run.providerFor(provider)!.schema.dataSources[type]!;
    editor.put(
      { mode, type, name, provider: providerAddress(change.provider, provider) },
      stateInstance(unknownsAsNull(plannedOf(step)!), schema, { key, sensitive, dependencies: [] }),
    );
  }
  for (const { name, action, after, afterType, sensitive } of plan.outputs) {
    if (action === "no-op" || action === "delete" || afterType === undefined) continue;
    if (after !== null && isWhollyKnown(after))
      editor.setOutput(name, { value: after as Json, type: afterType, sensitive });
  }
  return editor.snapshot();
}
