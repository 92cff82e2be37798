import type { LeavingObject, StayingObject, StoredState } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import { managedOf, nameOf, objectsOf, type StateObject, stateOf } from "../objects/objects";
import type { StackRun } from "../stack-run/stack-run";
import { type ExecutablePlan, isRelease, type Step } from "../steps/steps";

/** A declared instance with its declared values. The values are undefined if they can't be evaluated. */
interface DeclaredValues {
  readonly declaration: Pick<ResourceDeclaration, "type" | "provider">;
  readonly address: string;
  readonly declared: StoredState | undefined;
}

/** Finds the objects that exist after an apply: the declared objects, and the objects that the plan leaves unchanged. */
export class ExpectedChanges {
  readonly #planned: ReadonlySet<string>;

  /** @param unplanned declared instances without a step */
  constructor(
    private readonly run: StackRun,
    private readonly plan: Pick<ExecutablePlan, "steps" | "movedState" | "leftBehind">,
    private readonly unplanned: readonly DeclaredValues[] = [],
  ) {
    this.#planned = new Set(plan.steps.map(({ change }) => change.address));
  }

  /**
   * Gives a provider the list of its objects that exist after the apply. The provider must have this list before it
   * plans or applies a delete. If the plan deletes and releases nothing, the list is not needed.
   */
  async tell(key: string): Promise<void> {
    const { steps, leftBehind, movedState } = this.plan;
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
          ...own.filter((step) => isRelease(this.run, step)).map(leavingObject),
          ...others.filter((object) => leftBehind.has(nameOf(object))).map(remainingObject),
        ],
      );
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

const declaredObject = ({ declaration: { type }, address, declared }: DeclaredValues): StayingObject[] =>
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
