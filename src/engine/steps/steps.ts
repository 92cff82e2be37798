import type { AttributePath, Diagnostic } from "../../diagnostics";
import type { ObservedBeforeCreate, StoredState } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import type { ValueObject } from "../../schema";
import type { InstanceState, State } from "../../state";
import type { Action, Plan, ResourceChange } from "../model/plan";
import type { Instance } from "../run/instances";
import type { StateObject } from "../run/objects";
import type { Refreshed } from "./refresh";

/** The plan for one object: the change that is shown, and what apply needs. */
export interface Step {
  readonly change: ResourceChange;
  /** Key of the provider configuration. */
  readonly provider: string;
  /** Undefined if the object is no longer declared. */
  readonly declared: { readonly declaration: ResourceDeclaration; readonly instance: Instance } | undefined;
  readonly object: StateObject | undefined;
  /** The object before the step; undefined if there is none. */
  readonly prior: StoredState | undefined;
  /** The object as planned, with unknown values; undefined if it is deleted. */
  readonly planned: StoredState | undefined;
  /** For a create: what the provider observed at the object's place when it was planned. */
  readonly observed?: ObservedBeforeCreate;
  readonly config: ValueObject | undefined;
  /** Sensitive paths of the configuration. */
  readonly sensitive: readonly AttributePath[];
  /** Addresses of the resources and data sources that it depends on. */
  readonly dependencies: readonly string[];
  /**
   * If the identity of a new object is unknown: the types whose deletes wait for it and are then compared
   * with it.
   */
  readonly deletesAfter?: readonly string[];
  /** Addresses that take over the object, or parts of it: the state keeps it until they have. */
  readonly handedTo?: readonly string[];
  /** The delete, if any, comes after the changes of the dependents. */
  readonly createBeforeDestroy: boolean;
}

/** A step, or the diagnostics that explain why there is none. */
export interface PlannedStep {
  readonly step: Step | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** An object of a state as its provider knows it, without its identity. */
export const stateOf = ({ attributes, private: bytes }: InstanceState): StoredState => ({
  attributes: attributes as ValueObject,
  private: bytes,
});

const DELETE_ACTIONS: ReadonlySet<Action> = new Set(["delete", "delete-then-create", "create-then-delete"]);

/** Whether a step deletes an object, even if only to replace it. */
export const isObjectDelete = ({ change: { action } }: Pick<Step, "change">): boolean =>
  DELETE_ACTIONS.has(action);

const LOCAL_ACTIONS: ReadonlySet<Action> = new Set(["no-op", "read", "forget"]);

/** Whether a step changes an object on the service. */
export const isChange = ({ change: { action } }: Step): boolean => !LOCAL_ACTIONS.has(action);

/** Whether a step adds, moves or removes an object in the state. */
export const isStateChange = ({ change: { action, importing, previousAddress } }: Step): boolean =>
  action === "forget" || importing !== undefined || previousAddress !== undefined;

/** Whether applying a step changes anything, on the service or in the state. */
export const hasEffect = (step: Step): boolean =>
  isChange(step) || isStateChange(step) || step.change.action === "read";

/** A plan with everything that apply needs. */
export interface ExecutablePlan extends Plan {
  readonly steps: readonly Step[];
  /** Objects that differ between the state and the service. */
  readonly drifted: readonly Refreshed[];
  /** The state as it was read; undefined if there was none. */
  readonly priorState: State | undefined;
  /** Names of the objects that are no longer declared, and that the plan leaves as they are. */
  readonly leftBehind: ReadonlySet<string>;
  /** The prior state after moves, from which apply starts. */
  readonly movedState: State | undefined;
}
