import type { LeavingObject, StayingObject, StoredState } from "../../framework";
import type { ValueObject } from "../../schema";
import { objectsOf, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { ExecutablePlan } from "../steps/executable-plan";
import { deletesObject, plannedOf, priorOf, type Step } from "../steps/steps";
import type { UnplannedInstance } from "./unplanned-instances";

/**
 * Tells a provider what exists after the apply, before a delete is planned or anything is destroyed: what is
 * declared, and what the plan leaves unchanged. Without a delete there is nothing to tell.
 *
 * @param unplanned declared instances without a step
 */
export async function expectChanges(
  run: StackRun,
  { steps, movedState }: Pick<ExecutablePlan, "steps" | "movedState">,
  key: string,
  unplanned: readonly UnplannedInstance[] = [],
): Promise<void> {
  const own = steps.filter(({ provider, change }) => provider === key && change.mode === "managed");
  const client = run.configured(key);
  // An update may end the ownership of a set and leave its content to others.
  const mayRelease = ({ change: { type, action } }: Step): boolean =>
    action === "update" && (client.sharesWith?.(type) ?? []).length > 0;
  const deletes = own
    .filter((step) => deletesObject(step) || step.change.sameAs !== undefined || mayRelease(step))
    .map((step): LeavingObject => {
      const { type, address, action } = step.change;
      return { type, ...(action !== "create-then-delete" && { address }), ...priorOf(step)! };
    });
  if (deletes.length === 0) return;
  const planned = new Set(steps.map(({ change }) => change.address));
  const others = [...objectsOf(movedState, run).current.values()].flat();
  const unplannedObjects = others.filter(
    ({ address, provider, resource }) =>
      provider === key && resource.mode === "managed" && !planned.has(address),
  );
  await client.expectChanges?.(
    [
      ...own.filter(({ declared }) => declared !== undefined).map(plannedObject),
      ...unplannedObjects.map(unchangedObject),
      ...unplanned.filter(({ provider }) => provider === key).flatMap(declaredObject),
    ],
    deletes,
  );
}

const creates = ({ change: { action } }: Step): boolean =>
  action === "create" || action === "delete-then-create" || action === "create-then-delete";

function plannedObject(step: Step): StayingObject {
  const { type, address, before } = step.change;
  const planned = (plannedOf(step) ?? priorOf(step))!;
  return { type, address, planned, ...(!creates(step) && { object: String(before?.["id"]) }) };
}

const declaredObject = ({ type, address, declared }: UnplannedInstance): StayingObject[] =>
  declared === undefined ? [] : [{ type, address, planned: declared }];

function unchangedObject({ address, resource: { type }, instance }: StateObject): StayingObject {
  const attributes = instance.attributes as ValueObject;
  const planned: StoredState = { attributes, private: instance.private };
  return { type, address, planned, object: String(attributes["id"]) };
}
