import type { Diagnostic } from "../../diagnostics";
import type { ClientEvent, Clock, RequestPace } from "../../http";
import type { ProviderSchema, StoredState, Value, ValueObject } from "../../schema";
import type { Share } from "../ownership/ownership";
import type { SharedOwnership } from "../ownership/shared-ownership";
import type { AccessOptions, AccessReport, AccessRequest, PlannedRequest, RightsReport } from "./access";
import type { HostName } from "./connection";
import type * as messages from "./messages";
import type { Resolution } from "./resolution";

export type { ObservedBeforeCreate, StoredState } from "../../schema";
export { type Share, ShareIndex } from "../ownership/ownership";
export type * from "./access";
export type * from "./messages";

/**
 * The interface between hosts and a provider. Its operations are those of Terraform's plugin protocol, plus
 * `list`, so that a declaration behaves the same under every engine.
 *
 * Operations return diagnostics and throw only internal errors. Those with a `Resolution` answer at once where nothing has to
 * be requested.
 */
export interface Provider {
  readonly schema: ProviderSchema;
  /** The provider's release, such as `1.2.0`, for version constraints. */
  readonly version?: string;
  /** The types that `listResource` lists. Optional: without it, none. */
  readonly listed?: Readonly<Record<string, messages.ListedType>>;

  /** Redacts user-chosen names in the path of a request. Omitted if paths contain none. */
  redactPath?(path: string): string;

  /** Checks the provider's own configuration; asks nothing of the service. */
  validateProvider(config: ValueObject): readonly Diagnostic[];
  /**
   * Validates one resource's configuration, except for unknown values. What is left out may be missing in place of null, and names
   * that are no attributes are ignored. Sends no request.
   */
  validateResource(type: string, config: ValueObject): readonly Diagnostic[];
  validateDataSource(type: string, config: ValueObject): readonly Diagnostic[];

  /** Validates the configuration of a query. Optional: a provider without `schema.listResources` lacks it. */
  validateQuery?(type: string, config: ValueObject): readonly Diagnostic[];

  /**
   * Whether destroying an object with these attributes leaves the service as it is, such as a setting that exists anyway. Sends no
   * request. Optional: without it, nothing is known.
   */
  isLeftOnDestroy?(type: string, attributes: ValueObject): boolean;

  /**
   * Returns the paths of a planned change whose ids the object's state does not contain: a repair does not write them. Sends no
   * request. Optional: without it, there are none.
   */
  newPaths?(type: string, before: StoredState, planned: StoredState): readonly string[];

  /** Converts attributes stored under an older schema version to the current one. */
  upgradeResource(type: string, version: number, attributes: ValueObject): messages.AttributesResponse;
  /**
   * Converts an identity stored under an older version of its schema to the current one. Optional: a provider whose
   * resources have no identities lacks it.
   */
  upgradeIdentity?(type: string, version: number, identity: ValueObject): messages.AttributesResponse;
  /**
   * Converts the state of another provider's resource for a moved block. Sends no request: the next read
   * completes the state.
   */
  moveResource(request: messages.MoveRequest): messages.StateResponse;

  /**
   * Calls a function of `schema.functions`; needs no configuration and sends no request. The host has converted the
   * arguments to the types of the parameters. The result is unknown if an argument is. Optional: a provider without
   * functions lacks it.
   *
   * @throws Error for a function that the schema does not have
   */
  callFunction?(name: string, args: readonly Value[]): messages.FunctionResponse;

  /**
   * Creates a client for one provider configuration and one run. Nothing is sent before the first operation
   * that needs the service; clients share only `ownership`. For a partly unknown configuration, operations that need
   * the service are refused, and others work.
   */
  configure(config: ValueObject, run: RunOptions): ConfigureResponse;
}

/** A provider with its client and the cache of one run. */
export interface ConfiguredProvider {
  /**
   * Announces what this run will read: objects to read or update, and types of data sources. Their number
   * determines whether objects are read individually or as a list, and data sources determine how much of a
   * record is kept.
   */
  expectReads?(objects: readonly messages.ExpectedRead[], dataSources: readonly string[]): void;
  /** Identifies the service, without credentials; undefined while it is not known. */
  readonly service?: string;
  /**
   * The identity of an object on the service, whatever its address: equal texts mean the same object. Takes a
   * state, or planned or declared attributes; looks up paths, and reads nothing else. Undefined if it is not
   * known. Optional: without it, no two objects are known to be the same.
   */
  identify?(request: messages.IdentifyRequest): Resolution<string | undefined>;
  /** The name of the user that the token belongs to, for questions; undefined if the service does not say it. Optional. */
  currentUser?(): Promise<string | undefined>;
  /**
   * The container of a state, or of planned or declared attributes, as far as this run knows it: sends no request.
   * Optional: without it, hosts show what the attributes say.
   */
  containerOf?(type: string, attributes: ValueObject): messages.ObjectContainer | undefined;
  /**
   * The attributes before a change in the spelling of those after it, so that a comparison shows only what differs in meaning: ids and
   * paths of the same objects become equal. Sends no request: a path that the run has not looked up stays as it is. Optional:
   * without it, hosts compare texts.
   */
  spelledLike?(type: string, before: StoredState, after: StoredState): ValueObject;
  /**
   * The id of the container of an object, from the object's own id; its path while a state has no id of the container.
   * Objects of one type and container are in one list. Sends no request. Optional: without it, each object is read by itself.
   */
  containerIdOf?(type: string, id: string): string;
  /**
   * Looks up the container of an object for `containerOf`, if only its id is known: once per run. A failed look-up leaves it
   * as it is. Optional: without it, hosts show what is known.
   */
  learnContainer?(type: string, attributes: ValueObject): Promise<void>;
  /**
   * What an object owns of sets that others may own too, such as all of a list, or one entry of it: of one service, no
   * two declarations may own the same. Asks and answers as `identify` does. Optional: without it, each owns itself alone.
   */
  owns?(request: messages.OwnsRequest): Promise<readonly Share[]>;
  /**
   * Registers what a declaration without a plan owns, and reports what a planned declaration owns too. Sends no request;
   * undefined if its container is not known. Optional: without it, only planned declarations are compared.
   */
  claim?(request: messages.ClaimRequest): readonly Diagnostic[] | undefined;
  /** Other types whose objects may own parts of what this type owns. Optional: without it, none. */
  sharesWith?(type: string): readonly string[];
  /** Refreshes a state; without a state if the object is gone. */
  readResource(request: messages.ReadRequest): Resolution<messages.StateResponse>;
  /**
   * The attributes that may be left out and that the configuration set when the object was applied, as its state notes;
   * nothing where the state does not say. Optional: without it, no state does.
   */
  declaredIn?(state: StoredState): readonly string[] | undefined;
  /**
   * Compares the declared paths of an object with the ids that it was applied with: warnings for moved objects, errors for paths
   * that mean something else. Without a configuration, the paths of the state count. Optional: without it, only plans compare.
   */
  declaredPaths?(request: messages.DeclaredPathsRequest): Resolution<readonly Diagnostic[]>;
  /**
   * Returns the errors of a planned change that uses a disputed path: another declaration of it was refused. Sends no request.
   * Optional: without it, there are none.
   */
  disputedPaths?(type: string, planned: StoredState): readonly Diagnostic[];
  /** What applying the configuration would make of the prior state, and what forces a new object. */
  planResource(request: messages.PlanRequest): Resolution<messages.PlanResponse>;
  /**
   * Whether `planResource` would answer at once with the prior state, without diagnostics, and so would `readResource`, unless it
   * was asked: then what the object owns is registered. Sends no request. Optional: without it, each object is read and planned.
   */
  isUnchanged?(request: messages.StaysRequest): boolean;
  /**
   * The live values that creating this object replaces, because the service has it anyway, such as a setting; undefined if
   * it has not. Sends reads alone. Optional: without it, nothing is known.
   */
  replacedValues?(request: messages.ReplacedRequest): Promise<messages.ReplacedValues | undefined>;
  /** Checks whether an object may be destroyed. Optional for hosts. */
  planDestroy(request: messages.PlanDestroyRequest): Promise<messages.PlanDestroyResponse>;
  /**
   * Returns the changes that the token's role or scopes don't allow, with what it lacks; called before the
   * first change. Optional: without it, the service refuses the write itself.
   */
  checkRights?(changes: readonly messages.PlannedChange[]): Promise<readonly (readonly Diagnostic[])[]>;
  /**
   * Who gains and loses access by these changes, from the live objects. Sends reads alone, and reports what it can't
   * read as not counted. With `isWhole`, unchanged objects are among the changes. Optional: without it, nothing is known
   * about access.
   */
  describeAccess?(changes: readonly AccessRequest[], options?: AccessOptions): Promise<AccessReport>;
  /**
   * The scopes and roles that a token needs to apply these changes, without those that others imply, and what this run's
   * token has. Sends reads alone. Optional: without it, nothing is known about rights.
   */
  describeRights?(changes: readonly AccessRequest[]): Promise<RightsReport>;
  /**
   * The requests that `applyResource` would send, without its reads, and the errors that it would return before the first
   * one. Sends no changes. The configuration must be wholly known. Optional: without it, they are not known.
   */
  rehearse?(
    request: messages.ApplyRequest,
  ): Promise<{ readonly requests: readonly PlannedRequest[]; readonly diagnostics: readonly Diagnostic[] }>;
  /**
   * Announces, before the first change, what will be declared after the run, and what is destroyed: no delete
   * removes what stays declared, and a declaration of a destroyed object adopts it. Optional: without it,
   * only changes of the same client count.
   */
  expectChanges?(
    staying: readonly messages.StayingObject[],
    leaving: readonly messages.LeavingObject[],
  ): Promise<void>;
  /**
   * Creates (no prior), updates, or deletes (no planned) one object. On errors the state contains what
   * exists.
   */
  applyResource(request: messages.ApplyRequest): Promise<messages.ApplyResponse>;
  /** The outcome of a change whose intent an interrupted run recorded. Sends no changes. */
  recoverResource(request: messages.RecoverRequest): Promise<messages.RecoverResponse>;
  /** The state of a live object, by its import id or its identity. */
  importResource(request: messages.ImportRequest): Promise<messages.StateResponse>;
  /**
   * Finds containers of live objects, each once: in the order of the selection, and those inside a container after it, as
   * their pages arrive. `listResource` sends no request for a container found here. After `signal` is aborted, no further
   * page is requested. Optional: without it, there is no listing of live objects.
   */
  findContainers?(
    selection: messages.ContainerSelection,
    signal?: AbortSignal,
  ): AsyncIterable<messages.FoundContainers>;
  /**
   * Streams the live objects of one type in the containers that a configuration names, in the order of the containers. After
   * `signal` is aborted, the requests in flight end, and no other one is sent. Optional: without it, no type can be queried.
   */
  queryResource?(request: messages.QueryRequest, signal?: AbortSignal): AsyncIterable<messages.QueryEvent>;
  /** All live objects of one type in a container: for coverage, adoption and snapshots. */
  listResource(request: messages.ListRequest): Promise<messages.ListResponse>;
  /**
   * The container of a declaration, or of an object of the state, and what it owns of what is live there. Optional: without
   * it there is no coverage.
   */
  coveredBy?(object: messages.DeclaredObject): Promise<messages.CoverResponse>;
  readDataSource(request: messages.DataSourceRequest): Promise<messages.AttributesResponse>;
  close(): Promise<void>;
}

/** The run that a provider is configured for. */
export interface RunOptions {
  /** The host; by default `steward`, the embedded engine. */
  readonly host?: HostName;
  /** Gives what the provider's configuration leaves out, such as a token; the process's own without it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Cancels all operations in progress. */
  readonly signal?: AbortSignal;
  /** After this signal no change is sent, and only requests in flight are awaited. */
  readonly stop?: AbortSignal;
  /** Maximum number of requests in flight; adaptive by default. */
  readonly maxConcurrency?: number;
  /** The maximum number of requests per minute, for all configurations that share it. */
  readonly pace?: RequestPace | undefined;
  /** The memory that the clients of several runs share, by names of the provider. */
  readonly memory?: Map<string, unknown> | undefined;
  /**
   * The token's rights that earlier clients of the same configuration read. The provider chooses the keys. With this map, a plan
   * reads the rights together with the collections of its first changes, so that `checkRights` sends no request.
   */
  readonly rights?: Map<string, unknown> | undefined;
  /** What the clients of the run own together; each client owns for itself without it. */
  readonly ownership?: SharedOwnership;
  /** The clock for pauses; the system's by default. */
  readonly clock?: Clock;
  /** Receives every request, for progress and logs, without secrets. */
  readonly onRequest?: (event: RequestEvent) => void;
}

/** One step of one request; `path` is relative to the API root and has no query. */
export type RequestEvent = Exclude<ClientEvent, { readonly type: "redirect" }>;

export interface ConfigureResponse {
  readonly provider?: ConfiguredProvider;
  readonly diagnostics: readonly Diagnostic[];
}
