import type { AttributePath, Diagnostic } from "../../diagnostics";
import type { ObservedBeforeCreate, StoredState, Value, ValueObject } from "../../schema";
import type { Answer, OfType } from "./live-messages";

export type * from "./live-messages";

// Messages: requests and responses of the operations between hosts and providers.

/** The state of the current object; absent if the object does not exist. */
export interface StateResponse extends Answer {
  readonly state?: StoredState;
}

/** The attributes of an upgraded state, an upgraded identity or a data source; absent if there are errors. */
export interface AttributesResponse extends Answer {
  readonly attributes?: ValueObject;
}

export interface MoveRequest {
  readonly sourceType: string;
  /** The source address of the other provider, such as `registry.terraform.io/gitlabhq/gitlab`. */
  readonly sourceProvider: string;
  /** The schema version with which the other provider stored the state. */
  readonly sourceVersion: number;
  readonly sourceState: ValueObject;
  /** The resource type of the converted object, in this provider. */
  readonly type: string;
}

export interface ExpectedRead extends OfType {
  /** The id of the object, from its state. */
  readonly id: string;
}

export interface IdentifyRequest extends OfType, StoredState {
  /**
   * Whether no request is sent. The id of a path then comes from an earlier response of this run, or from the private bytes of
   * the state.
   */
  readonly isCacheOnly?: boolean;
}

export interface OwnsRequest extends IdentifyRequest {
  /**
   * The parts in the response. `has` selects only the parts that exist because of the object. By default, the response contains
   * all parts that the object can remove.
   */
  readonly part?: "has";
}

/** A declaration whose ownership the run registers without a plan. */
export interface ClaimRequest extends OfType, StoredState {
  readonly address: string;
  /** The id of the declaration's object; undefined if the state contains no object. */
  readonly object: string | undefined;
}

/** The parts of an object's id. */
export interface IdParts {
  /** The id of the container; its path if the state contains no id yet. */
  readonly container: string;
  /**
   * The part of the id that distinguishes the object within its container, such as `production`. Undefined if each container has
   * only one such object.
   */
  readonly key?: string;
}

/** The container of an object. A property that the run does not know is absent. */
export interface ObjectContainer {
  readonly kind: string;
  readonly id?: number;
  /** The full path of the container. */
  readonly path?: string;
  /** The URL of the container's web page. */
  readonly url?: string;
}

export interface ReadRequest extends OfType {
  readonly state: StoredState;
}

export interface DeclaredPathsRequest extends OfType {
  /** The state of the object before the read. */
  readonly state: StoredState;
  readonly config?: ValueObject;
}

export interface PlanRequest extends OfType {
  /** The address of the declaration, for errors; absent for hosts of the plugin protocol, which do not know it. */
  readonly address?: string;
  readonly prior: StoredState | undefined;
  readonly config: ValueObject;
  /**
   * The private bytes from the first plan of this declaration, if this is the second plan. A host plans an object twice for
   * `-replace`, and also if unknown values become known.
   */
  readonly plannedBefore?: string | undefined;
  /**
   * How the plan treats a live object that blocks a create. With `tell`, the response contains the object; with `refuse`, the
   * response contains an error. The plan reads the list of live objects once per run. Without this option, only the apply finds
   * the object. For a type with `onPlan.create`, the plan always looks for a live object that blocks the create.
   */
  readonly existing?: "tell" | "refuse" | undefined;
  /**
   * Whether the plan of an unchanged object can contain only the prior state, without other results of a plan. After such a plan,
   * the host can't replace the object, because a replacement needs these results. Default: false.
   */
  readonly canReturnPrior?: boolean;
}

/** A request that asks whether the plan of an object is a no-op. */
export interface StaysRequest extends OfType {
  readonly address: string | undefined;
  readonly state: StoredState;
  readonly config: ValueObject;
  /** Whether `readResource` of this run returned this state. */
  readonly isRead: boolean;
}

export interface PlanResponse extends Answer {
  readonly planned?: StoredState;
  /**
   * The changed attributes that make a replacement necessary. If the list is not empty, the host plans a second time without a
   * prior state.
   */
  readonly requiresReplace: readonly AttributePath[];
  /**
   * The live object that blocks the create of a new object, if the host asked for it. The state does not contain this object, as
   * far as the run knows.
   */
  readonly existing?: ExistingObject;
  /**
   * The live objects with the identity of a new object, from earlier reads of this run. The plan sends no request for these
   * objects.
   */
  readonly observed?: ObservedBeforeCreate;
}

/** A live object that blocks a create. */
export interface ExistingObject {
  /** The import ID of the blocking object. */
  readonly id: string;
  /** Whether several objects of the service have this key, so that they can't be distinguished. */
  readonly isAmbiguous?: boolean;
  /** The error for a plan that does not import the object. */
  readonly problem: Diagnostic;
}

export interface ReplacedRequest extends OfType {
  readonly config: ValueObject;
  /** The private bytes of the planned state. */
  readonly private?: string | undefined;
}

/** The live values that a create replaces, or a few words why they are unknown. */
export interface ReplacedValues {
  /** The live values of the attributes that the configuration sets, by attribute. */
  readonly live?: ValueObject;
  readonly why?: string;
  /**
   * The private bytes for the planned state, if the host shows these values. The private bytes record the elements of sets that
   * the host shows. The create removes only these elements.
   */
  readonly private?: string;
  /** The live objects that the run knows before the create, in the form of `observed` in a plan response. */
  readonly observed?: ObservedBeforeCreate;
  /** Warnings about the elements that the create removes. */
  readonly diagnostics?: readonly Diagnostic[];
}

export interface PlanDestroyRequest extends OfType {
  /** The address of the object, if the host knows it. */
  readonly address?: string | undefined;
  readonly prior: StoredState;
  /** Whether the plan removes the object only from the state. The service keeps the object, and no request is sent. */
  readonly isForgotten?: boolean;
}

/** The result of planning a destroy. For a host that did not call `expectChanges`, the result contains only diagnostics. */
export interface PlanDestroyResponse extends Answer {
  /**
   * The address of another declaration that declares all parts of the object. The plan then only removes the destroyed address
   * from the state.
   */
  readonly keptBy?: string;
  /** The attributes that the delete removes, if another declaration keeps all other attributes of the object. */
  readonly leaves?: ValueObject;
  /** The addresses of the declarations that keep parts of the destroyed object. */
  readonly adoptedBy?: readonly string[];
  /** The addresses of the declarations that own the whole set of this entry and remove the entry themselves. */
  readonly removedBy?: readonly string[];
}

/** A change of a plan. A create has no prior state, and a deletion has no planned state. */
export interface PlannedChange extends OfType {
  readonly prior: StoredState | undefined;
  readonly planned: StoredState | undefined;
}

/** A declaration whose object exists after the run, because the run creates, changes or keeps it. */
export interface StayingObject extends OfType {
  readonly address: string;
  /** The id of the declaration's object; absent if the object does not exist yet. */
  readonly object?: string | undefined;
  readonly planned: StoredState;
  /**
   * Whether another run applies the declaration. This run keeps the parts that the declaration owns, but does not leave any
   * removal to the other run.
   */
  readonly isElsewhere?: boolean;
}

/** An object that the run will destroy. */
export interface LeavingObject extends OfType, StoredState {
  /**
   * The address of the object. Absent if the run creates the replacement before it destroys the object, because the replacement
   * has this address and can be the same object.
   */
  readonly address?: string;
}

export interface ApplyRequest extends PlannedChange {
  /** The address of the object, if the host knows it. */
  readonly address?: string | undefined;
  /** The configuration; undefined if the change is a deletion. */
  readonly config: ValueObject | undefined;
}

export interface ApplyResponse extends Answer {
  /** The state of the current object; absent after a deletion, and after a create without a result. */
  readonly state?: StoredState;
  /**
   * Whether the created object is usable, although parts of the declaration are missing. If true, the host should update the
   * object in the next run instead of replacing it.
   */
  readonly isSound?: boolean;
  /** Whether the object may exist although its create failed. */
  readonly isUncertain?: boolean;
}

/** A change with an intent in the journal. Attributes that were unknown before the write are absent. */
export interface RecoverRequest extends PlannedChange {
  /** The time at which the change began, in milliseconds since 1970; undefined or NaN if the time is unknown. */
  readonly begunAt?: number | undefined;
  /** For a create: the value of `observed` in the plan response. */
  readonly observed?: ObservedBeforeCreate | undefined;
}

/** The outcome of an interrupted change. If the outcome is unknown, `outcome` is absent and the errors contain the reason. */
export interface RecoverResponse extends Answer {
  /**
   * The outcome of the change. `foreign`: the live object does not match the create or is older, so another client created it.
   * `in-part`: the object is usable, but parts of the declaration are missing.
   */
  readonly outcome?: "done" | "in-part" | "not-done" | "foreign";
  /** The state of the current object; absent if another client created the object. */
  readonly state?: StoredState;
}

/**
 * A request to import an object, by its import ID or by the attributes of its identity. The attributes of the identity must all
 * be known.
 */
export type ImportRequest = { readonly type: string } & (
  | { readonly id: string; readonly identity?: undefined }
  | { readonly id?: undefined; readonly identity: ValueObject }
);

/** The result of a function, or the error that prevented a result. */
export type FunctionResponse =
  | { readonly result: Value; readonly error?: never }
  | { readonly result?: never; readonly error: FunctionError };

export interface FunctionError {
  /** A sentence that contains the problem and the valid values. */
  readonly text: string;
  /** The index of the invalid argument, counted from 0; absent if the error concerns no single argument. */
  readonly argument?: number;
}

export interface DataSourceRequest extends OfType {
  readonly config: ValueObject;
  /** The address of the declaration; absent for plugin protocol 6, which does not send it. */
  readonly address?: string;
}
