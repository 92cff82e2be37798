import type { LeavingObject, StayingObject, StoredState } from "../../framework";
import type { ValueObject } from "../../schema";
import { objectsOf, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { ExecutablePlan } from "../steps/executable-plan";
import { deletesObject, plannedOf, priorOf, type Step } from "../steps/steps";
import type { Unplanned } from "./unplanned";

/**
 * Tells a provider what stays when an apply is over, before an end is planned and before anything is destroyed: what is
 * declared, and what the plan does not speak of. Where nothing ends there is nothing to tell.
 *
 * @param unplanned what is declared and not planned in this run
 */
export async function expectChanges(
  run: StackRun,
  { steps, movedState }: Pick<ExecutablePlan, "steps" | "movedState">,
  key: string,
  unplanned: readonly Unplanned[] = [],
): Promise<void> {
  const own = steps.filter(({ provider, change }) => provider === key && change.mode === "managed");
  const client = run.configured(key);
  // An owner of a set may give up managing it, and leave what is there to others.
  const mayGiveUp = ({ change: { type, action } }: Step): boolean =>
    action === "update" && (client.sharesWith?.(type) ?? []).length > 0;
  const leaving = own
    .filter((step) => deletesObject(step) || step.change.sameAs !== undefined || mayGiveUp(step))
    .map((step): LeavingObject => {
      const { type, address, action } = step.change;
      return { type, ...(action !== "create-then-delete" && { address }), ...priorOf(step)! };
    });
  if (leaving.length === 0) return;
  const planned = new Set(steps.map(({ change }) => change.address));
  const others = [...objectsOf(movedState, run).current.values()].flat();
  const left = others.filter(
    ({ address, provider, resource }) =>
      provider === key && resource.mode === "managed" && !planned.has(address),
  );
  await client.expectChanges?.(
    [
      ...own.filter(({ declared }) => declared !== undefined).map(kept),
      ...left.map(leftAlone),
      ...unplanned.filter(({ provider }) => provider === key).flatMap(wanted),
    ],
    leaving,
  );
}

const makes = ({ change: { action } }: Step): boolean =>
  action === "create" || action === "delete-then-create" || action === "create-then-delete";

function kept(step: Step): StayingObject {
  const { type, address, before } = step.change;
  const planned = (plannedOf(step) ?? priorOf(step))!;
  return { type, address, planned, ...(!makes(step) && { object: String(before?.["id"]) }) };
}

const wanted = ({ type, address, declared }: Unplanned): StayingObject[] =>
  declared === undefined ? [] : [{ type, address, planned: declared }];

function leftAlone({ address, resource: { type }, instance }: StateObject): StayingObject {
  const attributes = instance.attributes as ValueObject;
  const planned: StoredState = { attributes, private: instance.private };
  return { type, address, planned, object: String(attributes["id"]) };
}
