import type { LeavingObject, StayingObject, StoredState } from "../../framework";
import type { ValueObject } from "../../schema";
import { nameOf, objectsOf, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { ExecutablePlan } from "../steps/executable-plan";
import { deletesObject, plannedOf, priorOf, type Step } from "../steps/steps";
import type { UnplannedInstance } from "./unplanned-instances";

type Changes = Pick<ExecutablePlan, "steps" | "movedState" | "leftBehind">;

/**
 * Tells a provider what exists after the apply, before a delete is planned or anything is destroyed: what is
 * declared, and what the plan leaves unchanged. If nothing is released there is nothing to tell.
 *
 * @param unplanned declared instances without a step
 */
export async function expectChanges(
  run: StackRun,
  plan: Changes,
  key: string,
  unplanned: readonly UnplannedInstance[] = [],
): Promise<void> {
  if (!releasesAny(run, plan)) return;
  const { steps, leftBehind } = plan;
  const own = steps.filter(({ provider, change }) => provider === key && change.mode === "managed");
  const planned = new Set(steps.map(({ change }) => change.address));
  const others = heldObjects(run, plan).filter(
    ({ address, provider }) => provider === key && !planned.has(address),
  );
  await run
    .configured(key)
    .expectChanges?.(
      [
        ...own.filter(({ declared }) => declared !== undefined).map(plannedObject),
        ...others.map(unchangedObject),
        ...unplanned.filter(({ provider }) => provider === key).flatMap(declaredObject),
      ],
      [
        ...own.filter((step) => releases(run, step)).map(leavingObject),
        ...others.filter((object) => leftBehind.has(nameOf(object))).map(remainingObject),
      ],
    );
}

/** Whether anything is released, through any configuration: several may lead to one service. */
const releasesAny = (run: StackRun, { steps, leftBehind }: Changes): boolean =>
  leftBehind.size > 0 || steps.some((step) => releases(run, step));

/** Whether a step ends the ownership of an object or of a part of it, so that others may take it over. */
function releases(run: StackRun, step: Step): boolean {
  const { mode, type, action } = step.change;
  if (mode !== "managed") return false;
  if (deletesObject(step) || action === "forget") return true;
  // An update may end the ownership of a set and leave its content to others.
  return action === "update" && (run.configured(step.provider)?.sharesWith?.(type) ?? []).length > 0;
}

const heldObjects = (run: StackRun, { movedState }: Changes): StateObject[] =>
  [...objectsOf(movedState, run).current.values()]
    .flat()
    .filter(({ resource }) => resource.mode === "managed");

function leavingObject(step: Step): LeavingObject {
  const { type, address, action } = step.change;
  return { type, ...(action !== "create-then-delete" && { address }), ...priorOf(step)! };
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

const stored = ({ instance }: StateObject): StoredState => ({
  attributes: instance.attributes as ValueObject,
  private: instance.private,
});

function unchangedObject(object: StateObject): StayingObject {
  const planned = stored(object);
  return {
    type: object.resource.type,
    address: object.address,
    planned,
    object: String(planned.attributes["id"]),
  };
}

const remainingObject = (object: StateObject): LeavingObject => ({
  type: object.resource.type,
  address: object.address,
  ...stored(object),
});
