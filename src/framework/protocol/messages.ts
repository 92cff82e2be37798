import type { AttributePath, Diagnostic } from "../../diagnostics";
import type { ObservedBeforeCreate, StoredState, Value, ValueObject } from "../../schema";
import type { Answer, OfType } from "./live-messages";

export type * from "./live-messages";

// What hosts ask and are answered, operation by operation.

/** An object as it is now; without a state if there is none. */
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
  /** As it stands in the state. */
  readonly id: string;
}

export interface IdentifyRequest extends OfType, StoredState {
  /** Asks for nothing: a path names what this run was answered, or what an object remembers that was identified before. */
  readonly isCacheOnly?: boolean;
}

export interface OwnsRequest extends IdentifyRequest {
  /** `has`: what exists because of it, in place of all that it may remove. */
  readonly part?: "has";
}

/** A declaration without a plan. */
export interface ClaimRequest extends OfType, StoredState {
  readonly address: string;
  /** The id of its object, if the state holds one. */
  readonly object: string | undefined;
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
  /** Where the declaration stands, for errors that name it; hosts that speak the plugin protocol don't know it. */
  readonly address?: string;
  readonly prior: StoredState | undefined;
  readonly config: ValueObject;
  /**
   * The private bytes of the first plan of the same declaration. A host plans a change twice for `-replace`, or once values are known.
   */
  readonly plannedBefore?: string | undefined;
  /**
   * What to do about a live object in the place of a new one, which the service would refuse: `tell` it in the response, or
   * `refuse` it. Reads the lists of such objects once per run. Without it the apply finds out, except for objects of which a
   * create looks first.
   */
  readonly existing?: "tell" | "refuse" | undefined;
  /**
   * Whether an object that stays as it is may be planned as its prior state itself: then no replacement of it is planned after
   * this, which needs more of the plan. Default: false.
   */
  readonly canReturnPrior?: boolean;
}

/** An object of which a host asks whether it stays as it is. */
export interface StaysRequest extends OfType {
  readonly address: string | undefined;
  readonly state: StoredState;
  readonly config: ValueObject;
  /** Whether `readResource` was asked, and answered with this state. */
  readonly isRead: boolean;
}

export interface PlanResponse extends Answer {
  readonly planned?: StoredState;
  /** The changed attributes whose change needs a new object; the host then plans again without a prior state. */
  readonly requiresReplace: readonly AttributePath[];
  /** Of a new object: the live object in its place, which the state is not known to hold, if the host asked for it. */
  readonly existing?: ExistingObject;
  /** Of a new object: what is known of its place without asking for it. */
  readonly observed?: ObservedBeforeCreate;
}

/** A live object in the place of a new one. */
export interface ExistingObject {
  /** As import accepts it. */
  readonly id: string;
  /** How a service that keeps several under one key is told which one is meant: not at all. */
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
  /** By attribute: those that the configuration sets. */
  readonly live?: ValueObject;
  readonly why?: string;
  /** The private bytes for the planned state of a host that shows these values: the create removes no other elements of sets. */
  readonly private?: string;
  /** The live list before the create, as a plan response has it. */
  readonly observed?: ObservedBeforeCreate;
  /** Warnings of elements that the create removes. */
  readonly diagnostics?: readonly Diagnostic[];
}

export interface PlanDestroyRequest extends OfType {
  /** Where the object stands, if the host says so. */
  readonly address?: string | undefined;
  readonly prior: StoredState;
  /** Whether only the state drops it, and the service keeps it: no request is sent. */
  readonly isForgotten?: boolean;
}

/** All fields but the diagnostics are for hosts that called `expectChanges`. */
export interface PlanDestroyResponse extends Answer {
  /** An address that declares what there is of it: nothing goes but its own address. */
  readonly keptBy?: string;
  /** The attributes of what goes, where a part of it is declared elsewhere. */
  readonly leaves?: ValueObject;
  /** The addresses that declare the parts that stay. */
  readonly adoptedBy?: readonly string[];
  /** The addresses that own the set that it is an entry of, and remove it themselves. */
  readonly removedBy?: readonly string[];
}

/** A change that a plan holds: a create without a prior, a deletion without a planned state. */
export interface PlannedChange extends OfType {
  readonly prior: StoredState | undefined;
  readonly planned: StoredState | undefined;
}

/** A declaration whose object stays as it is, is changed, or is to be made. */
export interface StayingObject extends OfType {
  readonly address: string;
  /** The id of the object that it has and keeps; none where one is to be made. */
  readonly object?: string | undefined;
  readonly planned: StoredState;
  /** Whether another run applies it: this run keeps what it declares, and leaves nothing to its changes. */
  readonly isElsewhere?: boolean;
}

/** An object that is to be destroyed. */
export interface LeavingObject extends OfType, StoredState {
  /** None where what replaces it at its address is made first: that may be the same object. */
  readonly address?: string;
}

export interface ApplyRequest extends PlannedChange {
  /** Where the object stands, if the host says so. */
  readonly address?: string | undefined;
  /** Nothing for a deletion. */
  readonly config: ValueObject | undefined;
}

export interface ApplyResponse extends Answer {
  /** What exists now. Nothing after a deletion, or where a create made nothing. */
  readonly state?: StoredState;
  /**
   * With the errors of a create: what exists is sound, only not all that was declared. A host that can should update
   * it next time, and not replace it.
   */
  readonly isSound?: boolean;
  /** Set with the errors of a failed create if the object may exist nevertheless. */
  readonly isUncertain?: boolean;
}

/** A change as it was about to be sent, without the attributes that were to be known after the write. */
export interface RecoverRequest extends PlannedChange {
  /** When the change began, in milliseconds since 1970; undefined or NaN if that is not known. */
  readonly begunAt?: number | undefined;
  /** Of a create: what the plan gave. */
  readonly observed?: ObservedBeforeCreate | undefined;
}

/** Without an outcome if there are errors: then the outcome is unknown. */
export interface RecoverResponse extends Answer {
  /**
   * `foreign`: an object exists that does not match the create or is older than it, so another owner created it.
   * `in-part`: what exists is sound, only not all that was declared.
   */
  readonly outcome?: "done" | "in-part" | "not-done" | "foreign";
  /** What exists now and is ours. */
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
  /** A sentence that says what is wrong and what is valid. */
  readonly text: string;
  /** The index of the wrong argument. */
  readonly argument?: number;
}

export interface DataSourceRequest extends OfType {
  readonly config: ValueObject;
  /** Where it is declared; plugin protocol 6 does not have it. */
  readonly address?: string;
}
