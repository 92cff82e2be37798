import type { AttributePath, Diagnostic } from "../../diagnostics";
import type { ObservedBeforeCreate, StoredState, Value, ValueObject } from "../../schema";
import type { Answer, OfType } from "./live-messages";

export type * from "./live-messages";

// Requests and responses of the operations between hosts and providers.

/** The current object; without a state if it does not exist. */
export interface StateResponse extends Answer {
  readonly state?: StoredState;
}

/** The values of an upgraded state or identity, or of a data source; without them there are errors. */
export interface AttributesResponse extends Answer {
  readonly attributes?: ValueObject;
}

export interface MoveRequest {
  readonly sourceType: string;
  /** Address of the other provider, such as `registry.terraform.io/gitlabhq/gitlab`. */
  readonly sourceProvider: string;
  /** Version of the schema under which the other provider stored it. */
  readonly sourceVersion: number;
  readonly sourceState: ValueObject;
  /** The type that it becomes. */
  readonly type: string;
}

export interface ExpectedRead extends OfType {
  /** The id in the state. */
  readonly id: string;
}

export interface IdentifyRequest extends OfType, StoredState {
  /**
   * Sends no request. A path refers to the object of an earlier response of this run, or to the object that the
   * state remembers.
   */
  readonly isCacheOnly?: boolean;
}

export interface OwnsRequest extends IdentifyRequest {
  /** `has`: only the parts that exist because of it, instead of all parts that it may remove. */
  readonly part?: "has";
}

/** A declaration without a plan. */
export interface ClaimRequest extends OfType, StoredState {
  readonly address: string;
  /** The id of its object, if the state holds one. */
  readonly object: string | undefined;
}

/** The parts of an object's id. */
export interface IdParts {
  /** The id of its container; the path of the container while a state has no id of it. */
  readonly container: string;
  /** The part that distinguishes the object from others in its container, such as `production`; undefined for a setting. */
  readonly key?: string;
}

/** The container of an object, as far as a run knows it. */
export interface ObjectContainer {
  readonly kind: string;
  readonly id?: number;
  /** The full path. */
  readonly path?: string;
  /** The address of its web page. */
  readonly url?: string;
}

export interface ReadRequest extends OfType {
  readonly state: StoredState;
}

export interface DeclaredPathsRequest extends OfType {
  /** As the state holds it. */
  readonly state: StoredState;
  readonly config?: ValueObject;
}

export interface PlanRequest extends OfType {
  /** The address of the declaration, for errors that name it. Hosts of the plugin protocol don't know it. */
  readonly address?: string;
  readonly prior: StoredState | undefined;
  readonly config: ValueObject;
  /**
   * The private bytes of the first plan of the same declaration. A host plans a change twice for `-replace`, or once values are known.
   */
  readonly plannedBefore?: string | undefined;
  /**
   * How to treat a live object that blocks a create, because the service would refuse it. `tell` returns the object
   * in the response, and `refuse` makes it an error. The plan reads the lists of such objects once per run. Without
   * this option, the apply finds the object, except for types whose create looks first.
   */
  readonly existing?: "tell" | "refuse" | undefined;
  /**
   * Whether the plan of an unchanged object may be its prior state itself. No replacement of it can follow, because
   * a replacement needs more of the plan. Default: false.
   */
  readonly canReturnPrior?: boolean;
}

/** An object, for the question whether it stays as it is. */
export interface StaysRequest extends OfType {
  readonly address: string | undefined;
  readonly state: StoredState;
  readonly config: ValueObject;
  /** Whether `readResource` returned this state. */
  readonly isRead: boolean;
}

export interface PlanResponse extends Answer {
  readonly planned?: StoredState;
  /** The changed attributes whose change needs a new object; the host then plans again without a prior state. */
  readonly requiresReplace: readonly AttributePath[];
  /**
   * For a new object: the live object that blocks it, if the host requested it. The state is not known to hold this
   * live object.
   */
  readonly existing?: ExistingObject;
  /** For a new object: the known live objects with its identity, without a request. */
  readonly observed?: ObservedBeforeCreate;
}

/** A live object that blocks a create. */
export interface ExistingObject {
  /** As import accepts it. */
  readonly id: string;
  /** Whether the service keeps several objects under one key. They can't be distinguished. */
  readonly isAmbiguous?: boolean;
  /** The error of a plan that does not take it over. */
  readonly problem: Diagnostic;
}

export interface ReplacedRequest extends OfType {
  readonly config: ValueObject;
  /** The private bytes of the planned state. */
  readonly private?: string | undefined;
}

/** The live values that a create replaces, or why they are not known, in a few words. */
export interface ReplacedValues {
  /** The live values by attribute, for the attributes that the configuration sets. */
  readonly live?: ValueObject;
  readonly why?: string;
  /** The private bytes for the planned state of a host that shows these values: the create removes no other elements of sets. */
  readonly private?: string;
  /** The live list before the create, as in a plan response. */
  readonly observed?: ObservedBeforeCreate;
  /** Warnings of elements that the create removes. */
  readonly diagnostics?: readonly Diagnostic[];
}

export interface PlanDestroyRequest extends OfType {
  /** The address of the object, if the host knows it. */
  readonly address?: string | undefined;
  readonly prior: StoredState;
  /** Whether only the state drops it, and the service keeps it: no request is sent. */
  readonly isForgotten?: boolean;
}

/** All fields but the diagnostics are for hosts that called `expectChanges`. */
export interface PlanDestroyResponse extends Answer {
  /** The address that declares every part of the object: only the leaving address goes. */
  readonly keptBy?: string;
  /** The attributes of the deleted part, if another address declares the rest. */
  readonly leaves?: ValueObject;
  /** The addresses that declare the parts that stay. */
  readonly adoptedBy?: readonly string[];
  /** The addresses that own the set of this entry, and remove the entry themselves. */
  readonly removedBy?: readonly string[];
}

/** A change that a plan holds: a create without a prior, a deletion without a planned state. */
export interface PlannedChange extends OfType {
  readonly prior: StoredState | undefined;
  readonly planned: StoredState | undefined;
}

/** A declaration whose object stays unchanged, is changed, or is created. */
export interface StayingObject extends OfType {
  readonly address: string;
  /** The id of the object that it keeps; absent if the object is still to be created. */
  readonly object?: string | undefined;
  readonly planned: StoredState;
  /**
   * Whether another run applies it. This run keeps its declared parts, and leaves none of its work to the other
   * run.
   */
  readonly isElsewhere?: boolean;
}

/** An object that is to be destroyed. */
export interface LeavingObject extends OfType, StoredState {
  /** Absent if its replacement is created first, because the replacement may be the same object. */
  readonly address?: string;
}

export interface ApplyRequest extends PlannedChange {
  /** The address of the object, if the host knows it. */
  readonly address?: string | undefined;
  /** Nothing for a deletion. */
  readonly config: ValueObject | undefined;
}

export interface ApplyResponse extends Answer {
  /** The current object. Absent after a deletion, and after a create without a result. */
  readonly state?: StoredState;
  /**
   * Set with the errors of a create whose object is sound but lacks parts of the declaration. A host that can
   * should update it next time instead of replacing it.
   */
  readonly isSound?: boolean;
  /** Set with the errors of a failed create if the object may exist nevertheless. */
  readonly isUncertain?: boolean;
}

/** A change that was about to be sent, without the attributes that were unknown before the write. */
export interface RecoverRequest extends PlannedChange {
  /** When the change began, in milliseconds since 1970; undefined or NaN if that is not known. */
  readonly begunAt?: number | undefined;
  /** For a create: the value from the plan. */
  readonly observed?: ObservedBeforeCreate | undefined;
}

/** Without an outcome if there are errors: then the outcome is unknown. */
export interface RecoverResponse extends Answer {
  /**
   * `foreign`: an object exists that does not match the create or is older than it, so another owner created it.
   * `in-part`: the object is sound but lacks parts of the declaration.
   */
  readonly outcome?: "done" | "in-part" | "not-done" | "foreign";
  /** The current object, if this run owns it. */
  readonly state?: StoredState;
}

/** Names the object by its import id, or by the attributes of its identity, which are all known. */
export type ImportRequest = { readonly type: string } & (
  | { readonly id: string; readonly identity?: undefined }
  | { readonly id?: undefined; readonly identity: ValueObject }
);

/** A result, or the reason why there is none. */
export type FunctionResponse =
  | { readonly result: Value; readonly error?: never }
  | { readonly result?: never; readonly error: FunctionError };

export interface FunctionError {
  /** A sentence with the problem and the valid values. */
  readonly text: string;
  /** The index of the wrong argument. */
  readonly argument?: number;
}

export interface DataSourceRequest extends OfType {
  readonly config: ValueObject;
  /** The address of the declaration; plugin protocol 6 does not have it. */
  readonly address?: string;
}
