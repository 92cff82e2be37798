import type { AttributePath, Diagnostic } from "../../diagnostics";
import type { ObservedBeforeCreate, StoredState, Value, ValueObject } from "../../schema";
import type { Answer, OfType } from "./live-messages";

export type * from "./live-messages";

// Requests and responses of the operations between hosts and providers.

/** The current object. The state is absent if the object does not exist. */
export interface StateResponse extends Answer {
  readonly state?: StoredState;
}

/**
 * The values of an upgraded state or identity, or of a data source. The values are absent if there are
 * errors.
 */
export interface AttributesResponse extends Answer {
  readonly attributes?: ValueObject;
}

export interface MoveRequest {
  readonly sourceType: string;
  /** The source address of the other provider, such as `registry.terraform.io/gitlabhq/gitlab`. */
  readonly sourceProvider: string;
  /** The version of the schema with which the other provider stored the state. */
  readonly sourceVersion: number;
  readonly sourceState: ValueObject;
  /** The type of the converted object. */
  readonly type: string;
}

export interface ExpectedRead extends OfType {
  /** The id in the state. */
  readonly id: string;
}

export interface IdentifyRequest extends OfType, StoredState {
  /**
   * Whether the request may use only the cache. The object of a path is then taken from an earlier response of this
   * run, or from the private bytes of the state.
   */
  readonly isCacheOnly?: boolean;
}

export interface OwnsRequest extends IdentifyRequest {
  /**
   * Which parts the response contains. `has`: only the parts that exist because of the object. By default: all
   * parts that the object may remove.
   */
  readonly part?: "has";
}

/** A declaration that is not planned, and whose ownership the run registers. */
export interface ClaimRequest extends OfType, StoredState {
  readonly address: string;
  /** The id of the declaration's object, if the state holds one. */
  readonly object: string | undefined;
}

/** The parts of an object's id. */
export interface IdParts {
  /** The id of the container, or its path while the state contains no id. */
  readonly container: string;
  /**
   * The part that distinguishes the object from other objects in its container, such as `production`.
   * Undefined if a container has only one such object.
   */
  readonly key?: string;
}

/** The container of an object. Properties that the run does not know are absent. */
export interface ObjectContainer {
  readonly kind: string;
  readonly id?: number;
  /** The full path of the container. */
  readonly path?: string;
  /** The address of the container's web page. */
  readonly url?: string;
}

export interface ReadRequest extends OfType {
  readonly state: StoredState;
}

export interface DeclaredPathsRequest extends OfType {
  /** The object as the state holds it. */
  readonly state: StoredState;
  readonly config?: ValueObject;
}

export interface PlanRequest extends OfType {
  /** The address of the declaration, for errors. Hosts of the plugin protocol don't know it. */
  readonly address?: string;
  readonly prior: StoredState | undefined;
  readonly config: ValueObject;
  /**
   * The private bytes of the first plan of the same declaration. A host plans a change a second time for
   * `-replace`, or when unknown values become known.
   */
  readonly plannedBefore?: string | undefined;
  /**
   * The reaction of the plan if a live object blocks a create, because the service would refuse the create. With
   * `tell`, the response contains the object. With `refuse`, the response contains an error. The plan reads the
   * lists of such objects once per run. Without this option, only the apply finds the object, except for types with
   * `onPlan.create`, whose plan always looks for it.
   */
  readonly existing?: "tell" | "refuse" | undefined;
  /**
   * Whether the plan of an unchanged object may be the prior state itself, without the other results of a plan.
   * The host can't replace the object after such a plan, because a replacement needs these results. Default:
   * false.
   */
  readonly canReturnPrior?: boolean;
}

/** Asks whether the plan of an object is a no-op. */
export interface StaysRequest extends OfType {
  readonly address: string | undefined;
  readonly state: StoredState;
  readonly config: ValueObject;
  /** Whether `readResource` returned this state. */
  readonly isRead: boolean;
}

export interface PlanResponse extends Answer {
  readonly planned?: StoredState;
  /** The changed attributes that require a new object. The host then plans again without a prior state. */
  readonly requiresReplace: readonly AttributePath[];
  /**
   * For a new object: the live object that blocks it, if the host requested it. As far as the run knows, the state
   * does not contain this live object.
   */
  readonly existing?: ExistingObject;
  /**
   * For a new object: the live objects with its identity that the run already knows. The plan sends no request for
   * them.
   */
  readonly observed?: ObservedBeforeCreate;
}

/** A live object that blocks a create. */
export interface ExistingObject {
  /** The import ID of the object. */
  readonly id: string;
  /** Whether the service keeps several objects with the same key, which can't be distinguished. */
  readonly isAmbiguous?: boolean;
  /** The error to report if the plan does not import the object. */
  readonly problem: Diagnostic;
}

export interface ReplacedRequest extends OfType {
  readonly config: ValueObject;
  /** The private bytes of the planned state. */
  readonly private?: string | undefined;
}

/** The live values that a create replaces, or the reason in a few words why they are not known. */
export interface ReplacedValues {
  /** The live values by attribute, for the attributes that the configuration sets. */
  readonly live?: ValueObject;
  readonly why?: string;
  /**
   * The private bytes for the planned state, if the host shows these values. They contain the shown elements of
   * sets, and the create removes no other elements.
   */
  readonly private?: string;
  /** The known live objects before the create, like `observed` of a plan response. */
  readonly observed?: ObservedBeforeCreate;
  /** Warnings about the elements that the create removes. */
  readonly diagnostics?: readonly Diagnostic[];
}

export interface PlanDestroyRequest extends OfType {
  /** The address of the object, if the host knows it. */
  readonly address?: string | undefined;
  readonly prior: StoredState;
  /**
   * Whether the plan only removes the object from the state. The service keeps it, and no request is sent.
   */
  readonly isForgotten?: boolean;
}

/** The result of planning a destroy. Only hosts that called `expectChanges` get more than diagnostics. */
export interface PlanDestroyResponse extends Answer {
  /**
   * The address of another declaration that declares every part of the object. The plan then only removes this
   * address from the state.
   */
  readonly keptBy?: string;
  /** The attributes that the delete removes, if another declaration keeps the rest of the object. */
  readonly leaves?: ValueObject;
  /** The addresses of the declarations that keep parts of the object. */
  readonly adoptedBy?: readonly string[];
  /** The addresses of the declarations that own the set of this entry, and remove the entry themselves. */
  readonly removedBy?: readonly string[];
}

/** A change of a plan. A create has no prior state, and a deletion has no planned state. */
export interface PlannedChange extends OfType {
  readonly prior: StoredState | undefined;
  readonly planned: StoredState | undefined;
}

/** A declaration whose object exists after the run: it is unchanged, changed or created. */
export interface StayingObject extends OfType {
  readonly address: string;
  /** The id of the object that the declaration keeps; absent if the object is still to be created. */
  readonly object?: string | undefined;
  readonly planned: StoredState;
  /**
   * Whether another run applies the declaration. This run keeps the parts that the declaration owns, but does not
   * rely on the other run to remove anything.
   */
  readonly isElsewhere?: boolean;
}

/** An object that is to be destroyed. */
export interface LeavingObject extends OfType, StoredState {
  /**
   * The address of the object. It is absent if a replacement is created before the object is destroyed. The
   * replacement has the same address, and may be the same object.
   */
  readonly address?: string;
}

export interface ApplyRequest extends PlannedChange {
  /** The address of the object, if the host knows it. */
  readonly address?: string | undefined;
  /** The configuration; undefined for a deletion. */
  readonly config: ValueObject | undefined;
}

export interface ApplyResponse extends Answer {
  /** The current object. It is absent after a deletion, and after a create without a result. */
  readonly state?: StoredState;
  /**
   * Whether an object with errors after its create is usable, although parts of the declaration are missing. In
   * the next run, the host should then update the object instead of replacing it.
   */
  readonly isSound?: boolean;
  /** Whether the object may exist although its create failed. */
  readonly isUncertain?: boolean;
}

/** A change whose intent is in the journal. Attributes that were unknown before the write are missing. */
export interface RecoverRequest extends PlannedChange {
  /** The time when the change began, in milliseconds since 1970; undefined or NaN if it is not known. */
  readonly begunAt?: number | undefined;
  /** For a create: `observed` of the plan response. */
  readonly observed?: ObservedBeforeCreate | undefined;
}

/** The outcome of an interrupted change. If the outcome is unknown, it is absent, and the errors say why. */
export interface RecoverResponse extends Answer {
  /**
   * The outcome of the change. `foreign`: a live object does not match the create or is older, so another
   * client created it. `in-part`: the object is usable, but parts of the declaration are missing.
   */
  readonly outcome?: "done" | "in-part" | "not-done" | "foreign";
  /** The current object, if this run created it. */
  readonly state?: StoredState;
}

/** The object to import: its import ID, or the attributes of its identity, which must all be known. */
export type ImportRequest = { readonly type: string } & (
  | { readonly id: string; readonly identity?: undefined }
  | { readonly id?: undefined; readonly identity: ValueObject }
);

/** The result of a function, or the error that prevented a result. */
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
  /** The address of the declaration. Plugin protocol 6 does not have it. */
  readonly address?: string;
}
