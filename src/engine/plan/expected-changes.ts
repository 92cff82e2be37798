import type { LeavingObject, StayingObject } from "../../framework";
import { managedOf, nameOf, objectsOf, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { type ExecutablePlan, isObjectDelete, type Step } from "../steps/steps";
import { stateOf } from "../steps/upgrade";
import type { UnplannedInstance } from "./unplanned-instances";

/** The objects that exist after an apply: declared ones, and objects that the plan leaves unchanged. */
export class ExpectedChanges {
  readonly #planned: ReadonlySet<string>;

  /** @param unplanned declared instances without a step */
  constructor(
    private readonly run: StackRun,
    private readonly plan: Pick<ExecutablePlan, "steps" | "movedState" | "leftBehind">,
    private readonly unplanned: readonly UnplannedInstance[] = [],
  ) {
    this.#planned = new Set(plan.steps.map(({ change }) => change.address));
  }

  /**
   * Announces these objects to a provider, before a delete is planned or anything is destroyed. The provider needs this only if
   * an object is released through any configuration, because several configurations may lead to one service.
   */
  async tell(key: string): Promise<void> {
    const { steps, leftBehind, movedState } = this.plan;
    if (leftBehind.size === 0 && !steps.some((step) => this.#isRelease(step))) return;
    const own = steps.filter(({ provider, change }) => provider === key && change.mode === "managed");
    const others = managedOf(objectsOf(movedState, this.run).current).filter(
      ({ address, provider }) => provider === key && !this.#planned.has(address),
    );
    const declared = this.unplanned.filter(({ declaration }) => declaration.provider === key);
    await this.run
      .configured(key)
      .expectChanges?.(
        [
          ...own.filter((step) => step.declared !== undefined).map(plannedObject),
          ...others.map(unchangedObject),
          ...declared.flatMap(declaredObject),
        ],
        [
          ...own.filter((step) => this.#isRelease(step)).map(leavingObject),
          ...others.filter((object) => leftBehind.has(nameOf(object))).map(remainingObject),
        ],
      );
  }

  /** Whether a step ends the ownership of an object or of a part of it, so that others may take it over. */
  #isRelease(step: Step): boolean {
    const { mode, type, action } = step.change;
    if (mode !== "managed") return false;
    if (isObjectDelete(step) || action === "forget") return true;
    // An update may end the ownership of a set and leave its content to others.
    return action === "update" && (this.run.configured(step.provider)?.sharesWith?.(type) ?? []).length > 0;
  }
}

function leavingObject(step: Step): LeavingObject {
  const { type, address, action } = step.change;
  return { type, ...(action !== "create-then-delete" && { address }), ...step.prior! };
}

const isCreate = ({ change: { action } }: Step): boolean =>
  action === "create" || action === "delete-then-create" || action === "create-then-delete";

function plannedObject(step: Step): StayingObject {
  const { type, address, before } = step.change;
  const planned = (step.planned ?? step.prior)!;
  return { type, address, planned, ...(!isCreate(step) && { object: String(before?.["id"]) }) };
}

const declaredObject = ({ declaration: { type }, address, declared }: UnplannedInstance): StayingObject[] =>
  declared === undefined ? [] : [{ type, address, planned: declared }];

function unchangedObject({ resource: { type }, address, instance }: StateObject): StayingObject {
  const planned = stateOf(instance);
  return { type, address, planned, object: String(planned.attributes["id"]) };
}

const remainingObject = ({ resource: { type }, address, instance }: StateObject): LeavingObject => ({
  type,
  address,
  ...stateOf(instance),
});
