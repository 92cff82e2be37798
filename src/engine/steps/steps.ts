import type { AttributePath, Diagnostic } from "../../diagnostics";
import type { ObservedBeforeCreate, StoredState } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import type { ValueObject } from "../../schema";
import type { Action, ResourceChange } from "../model/plan";
import type { Instance } from "../run/instances";
import type { StateObject } from "../run/objects";

/** What a plan knows of one object: what is shown of it, and what applying it needs. */
export interface Step {
  readonly change: ResourceChange;
  /** Key of the provider configuration. */
  readonly provider: string;
  /** Absent for an object that is declared no more. */
  readonly declared: { readonly declaration: ResourceDeclaration; readonly instance: Instance } | undefined;
  readonly object: StateObject | undefined;
  /** The provider's own bytes beside what the change holds: of the live state that the plan rests on, and of what is planned. */
  readonly private?: { readonly prior?: string | undefined; readonly planned?: string | undefined };
  /** Of a create: what was known of its place when it was planned. */
  readonly observed?: ObservedBeforeCreate;
  readonly config: ValueObject | undefined;
  /** Sensitive paths of the configuration. */
  readonly sensitive: readonly AttributePath[];
  /** Addresses of the resources and data sources that it depends on. */
  readonly dependencies: readonly string[];
  /** Where it is not known yet what object it makes: the types whose ends wait for it, and are held against it then. */
  readonly endsWaiting?: readonly string[];
  /** Its end, if it has one, comes after the changes of what depends on it. */
  readonly createsBeforeDestroying: boolean;
}

/** A step, or the diagnostics that say why there is none. */
export interface PlannedStep {
  readonly step: Step | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The live state that a step rests on; nothing where there is no object. */
export const priorOf = ({ change: { before }, private: bytes }: Step): StoredState | undefined =>
  before === null ? undefined : { attributes: before, private: bytes?.prior };

/** The state that a step leads to, as far as it is known; nothing where it ends the object. */
export const plannedOf = ({ change: { after }, private: bytes }: Step): StoredState | undefined =>
  after === null ? undefined : { attributes: after, private: bytes?.planned };

const ENDING: ReadonlySet<Action> = new Set(["delete", "delete-then-create", "create-then-delete"]);

/** Whether a step ends an object, if only to replace it. */
export const endsObject = ({ change: { action } }: Pick<Step, "change">): boolean => ENDING.has(action);

const LEAVES_OBJECTS_ALONE: ReadonlySet<Action> = new Set(["no-op", "read", "forget"]);

/** Whether a step changes an object on the service. */
export const isChange = ({ change: { action } }: Step): boolean => !LEAVES_OBJECTS_ALONE.has(action);

/** Whether a step puts an object somewhere else in the state, into it, or out of it, whatever else it does. */
export const adjustsState = ({ change: { action, importing, previousAddress } }: Step): boolean =>
  action === "forget" || importing !== undefined || previousAddress !== undefined;

/** Whether applying a step does anything, if only to the state. */
export const hasEffect = (step: Step): boolean =>
  isChange(step) || adjustsState(step) || step.change.action === "read";
