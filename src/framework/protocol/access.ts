import type { ValueObject } from "../../schema";
import type { PlannedChange } from "./messages";

/** A planned change whose effect on access a report describes. */
export interface AccessRequest extends PlannedChange {
  /** The address of the declaration, or of the object in the state. */
  readonly address: string;
  /** The configuration; undefined if the change deletes the object. */
  readonly config: ValueObject | undefined;
  /** The live values that a create replaces; undefined if the plan has not read them. */
  readonly live?: ValueObject | undefined;
}

/** The options that decide what an access report contains. */
export interface AccessOptions {
  /**
   * Whether the report also includes access that does not change. The `after` list of each ability then contains all people who
   * have access after the changes.
   */
  readonly isWhole?: boolean | undefined;
  /**
   * Whether the report describes drift instead of planned changes. If true, the changes in the request are the changes that would
   * repair the drift.
   */
  readonly isReversed?: boolean | undefined;
  /** Whether the run has changes outside this report, such as the changes of another stack. */
  readonly isPartial?: boolean | undefined;
  /**
   * The maximum number of requests for the report, as an average for each container with changes. Changes beyond this limit are
   * listed as not counted. By default, there is no limit.
   */
  readonly maxReads?: number | undefined;
}

/**
 * The access that planned changes give and take away. The provider chooses the names of places and abilities, such as `room` and
 * `enter`.
 */
export interface AccessReport {
  /** The places whose access changes or may change, even if the report could not count the change. */
  readonly places: readonly AccessPlace[];
  /** The changes that belong to no known place. */
  readonly notCounted: readonly NotCounted[];
  /**
   * The containers in which the plan changes settings that access depends on. Some of these changes have an effect on access only
   * together with a change of another plan.
   */
  readonly touched?: readonly TouchedContainer[];
}

/** A container with planned changes that concern access. */
export interface TouchedContainer extends AccessTarget {
  /** Other containers whose members also have access in this container. Only reports with `isPartial` contain this list. */
  readonly dependsOn?: readonly AccessTarget[];
  /** The address of the service, if the host knows it. */
  readonly service?: string;
}

/** A place that people have access to: an object in a container, or a container itself. */
export interface AccessPlace {
  readonly container: AccessTarget;
  readonly target?: AccessTarget;
  /** The abilities in this place, each with the people who have it before and after the changes. */
  readonly abilities: readonly AccessAbility[];
  /** Rules that change for all people, such as the number of required keys. */
  readonly rules: readonly AccessRule[];
  /**
   * The parts that the token can't see or that the report can't evaluate. If this list is not empty, `gains` and `loses` of the
   * abilities are incomplete.
   */
  readonly notCounted: readonly NotCounted[];
  /** The addresses of the planned changes that affect access to this place. */
  readonly changes?: readonly string[];
  /** The address of the service, if the host knows it. */
  readonly service?: string;
}

export interface AccessTarget {
  /** The kind of the object or container, such as `space` or `room`. */
  readonly kind: string;
  readonly name: string;
}

export interface AccessAbility {
  /** The name of the ability in reports: a verb, or words with underscores, such as `enter` or `change_door`. */
  readonly name: string;
  /**
   * The known people and objects that have this ability before the changes (`before`) and after them (`after`), sorted by kind
   * and name.
   */
  readonly before: readonly AccessHolder[];
  readonly after: readonly AccessHolder[];
  /** The holders who gain this ability (`gains`) or lose it (`loses`), sorted by name. */
  readonly gains: readonly AccessHolder[];
  readonly loses: readonly AccessHolder[];
}

/** A person, or another object such as a team, that has access. */
export interface AccessHolder {
  /** The kind of the holder, such as `user` or `team`. */
  readonly kind: string;
  readonly name: string;
  /** A few words about the condition or source of the access, such as `through team release` or `once accepted`. */
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
  /** The reason why this part is not counted, as the end of a sentence without a full stop. */
  readonly why: string;
}

/** The rights that a token needs to apply planned changes. */
export interface RightsReport {
  readonly rights: readonly NeededRight[];
  /** The changes for which the report could not determine the needed rights. */
  readonly notKnown: readonly NotCounted[];
}

export interface NeededRight {
  readonly kind: "scope" | "role";
  /** The name of a scope or a role, such as `api` or `Owner`. */
  readonly name: string;
  /**
   * The object or container in which the token's user needs the role. Absent for a scope, and for a role on the whole service.
   */
  readonly at?: AccessTarget;
  /** Whether the token of this run has the right; undefined if the service does not show this. */
  readonly has: boolean | undefined;
}

/** A request that the apply of a change would send. */
export interface PlannedRequest {
  readonly method: string;
  /** The encoded path, relative to the API root. */
  readonly path: string;
  /** The JSON body; absent if there is none. */
  readonly body?: unknown;
}
