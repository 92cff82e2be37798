import type { ValueObject } from "../../schema";
import type { PlannedChange } from "./messages";

/** A planned change of an object whose effect on access a report describes. */
export interface AccessRequest extends PlannedChange {
  /** The address of the declaration, or of the object in the state. */
  readonly address: string;
  /** The configuration; undefined if the object is deleted. */
  readonly config: ValueObject | undefined;
  /** The live values that a create replaces, where the plan has read them. */
  readonly live?: ValueObject | undefined;
}

/** The scope of an access report. */
export interface AccessOptions {
  /**
   * Whether the report also includes access that does not change. The `after` lists of its abilities then contain all
   * people who have access after the changes.
   */
  readonly isWhole?: boolean | undefined;
  /**
   * Whether the report describes drift that has already happened. The drift is the reverse of the changes that
   * would repair it.
   */
  readonly isReversed?: boolean | undefined;
  /** Whether another report describes further changes of the run, such as the changes of another stack. */
  readonly isPartial?: boolean | undefined;
  /**
   * The number of requests that the report may send on average for each container with changes. The report
   * lists everything beyond this limit as not counted. By default, there is no limit.
   */
  readonly maxReads?: number | undefined;
}

/** The access that planned changes give and take away. The provider chooses its words, such as `room` and `enter`. */
export interface AccessReport {
  /** The places whose access changes, or may change in a way that could not be counted. */
  readonly places: readonly AccessPlace[];
  /** Changes that could not be assigned to a place. */
  readonly notCounted: readonly NotCounted[];
  /**
   * The containers in which the plan changes settings that access depends on. Such a change may affect access only
   * together with the changes of another plan.
   */
  readonly touched?: readonly TouchedContainer[];
}

/** A container in which changes concern access. */
export interface TouchedContainer extends AccessTarget {
  /** With `isPartial`: other containers whose members also have access in this container. */
  readonly dependsOn?: readonly AccessTarget[];
  /** The address of the service, if the host knows it. */
  readonly service?: string;
}

/** An object in a container, or a container itself, that people have access to. */
export interface AccessPlace {
  readonly container: AccessTarget;
  readonly target?: AccessTarget;
  /** The people who have each ability, before and after the changes. */
  readonly abilities: readonly AccessAbility[];
  /** Rules that change for all people, such as the number of required keys. */
  readonly rules: readonly AccessRule[];
  /**
   * Parts that the token can't see, or that the report can't evaluate. If the list is not empty, `gains` and
   * `loses` are incomplete.
   */
  readonly notCounted: readonly NotCounted[];
  /** The addresses of the changes that affect this access. */
  readonly changes?: readonly string[];
  /** The address of the service, where the host knows it. */
  readonly service?: string;
}

export interface AccessTarget {
  /** The kind, such as `space` or `room`. */
  readonly kind: string;
  readonly name: string;
}

export interface AccessAbility {
  /** The key in reports: a verb, or words joined by underscores, such as `enter` or `change_door`. */
  readonly name: string;
  /** The known people and objects with this ability, before and after the changes, sorted by kind and name. */
  readonly before: readonly AccessHolder[];
  readonly after: readonly AccessHolder[];
  /** The new holders, sorted by name. */
  readonly gains: readonly AccessHolder[];
  readonly loses: readonly AccessHolder[];
}

/** A person or another object that has access. */
export interface AccessHolder {
  /** The kind of the holder, such as `user` or `team`. */
  readonly kind: string;
  readonly name: string;
  /** The condition or the source of the access in a few words, such as `through team release` or `once accepted`. */
  readonly note?: string;
}

export interface AccessRule {
  readonly name: string;
  readonly before: string | number;
  readonly after: string | number;
}

export interface NotCounted {
  /** The name of the part that is not counted, such as `team secret`. */
  readonly what: string;
  /** The reason, as the rest of a sentence without a full stop. */
  readonly why: string;
}

/** The rights that a token needs to apply planned changes. */
export interface RightsReport {
  readonly rights: readonly NeededRight[];
  /** Changes whose rights could not be determined. */
  readonly notKnown: readonly NotCounted[];
}

export interface NeededRight {
  readonly kind: "scope" | "role";
  /** The name of a scope or a role, such as `api` or `Owner`. */
  readonly name: string;
  /** The object or container in which the role is needed. Absent for a scope, and for a role on the whole service. */
  readonly at?: AccessTarget;
  /** Whether this run's token has the right; undefined if the service does not show this. */
  readonly has: boolean | undefined;
}

/** A request that applying a change would send. */
export interface PlannedRequest {
  readonly method: string;
  /** The encoded path, relative to the API root. */
  readonly path: string;
  /** The JSON body; absent if there is none. */
  readonly body?: unknown;
}
