import type { Diagnostic } from "../../diagnostics";
import type { ClientEvent, Clock, RequestPace } from "../../http";
import type { ProviderSchema, Resolution, StoredState, Value, ValueObject } from "../../schema";
import type { Share, SharedOwnership } from "../ownership/owners";
import type { AccessOptions, AccessReport, AccessRequest, PlannedRequest, RightsReport } from "./access";
import type { HostName } from "./connection";
import type * as messages from "./messages";

export type { ObservedBeforeCreate, StoredState } from "../../schema";
export { type Share, ShareIndex } from "../ownership/owners";
export type * from "./access";
export type * from "./messages";

/**
 * The interface between hosts and a provider. Its operations are the operations of Terraform's plugin protocol,
 * plus `list`, so that a declaration behaves the same under every engine.
 *
 * Operations return diagnostics and throw only internal errors. An operation with a `Resolution` responds
 * synchronously if it needs no request.
 */
export interface Provider {
  readonly schema: ProviderSchema;
  /** The provider's release, such as `1.2.0`, for version constraints. */
  readonly version?: string;
  /** The types that `listResource` can list. It is optional: without it, there are none. */
  readonly listed?: Readonly<Record<string, messages.ListedType>>;

  /** Redacts user-chosen names in the path of a request. Optional: without it, paths contain no such names. */
  redactPath?(path: string): string;

  /** Checks the provider's configuration, without a request to the service. */
  validateProvider(config: ValueObject): readonly Diagnostic[];
  /**
   * Validates one resource's configuration, except for unknown values. An omitted attribute may be missing or null.
   * Names that are not attributes are ignored. It sends no request.
   */
  validateResource(type: string, config: ValueObject): readonly Diagnostic[];
  validateDataSource(type: string, config: ValueObject): readonly Diagnostic[];

  /**
   * Validates the configuration of a query. Optional: a provider without `schema.listResources` does not have this
   * function.
   */
  validateQuery?(type: string, config: ValueObject): readonly Diagnostic[];

  /**
   * Returns whether destroying an object with these attributes does not change the service. An example is a
   * setting that always exists. It sends no request. It is optional: without it, hosts know nothing about this.
   */
  isLeftOnDestroy?(type: string, attributes: ValueObject): boolean;

  /**
   * Returns the paths in a planned change for which the object's state contains no id. A repair does not write
   * these paths. It sends no request. It is optional: without it, there are none.
   */
  newPaths?(type: string, before: StoredState, planned: StoredState): readonly string[];

  /**
   * Splits the id of an object, because only the provider knows its format. It sends no request. Optional: without
   * it, hosts do not use parts of an id.
   */
  idParts?(type: string, id: string): messages.IdParts;

  /** Converts attributes stored under an older schema version to the current one. */
  upgradeResource(type: string, version: number, attributes: ValueObject): messages.AttributesResponse;
  /**
   * Converts an identity stored under an older version of its schema to the current one. Optional: a provider
   * whose resources have no identities does not have this function.
   */
  upgradeIdentity?(type: string, version: number, identity: ValueObject): messages.AttributesResponse;
  /**
   * Converts the state of another provider's resource for a moved block. Sends no request: the next read
   * completes the state.
   */
  moveResource(request: messages.MoveRequest): messages.StateResponse;

  /**
   * Calls a function of `schema.functions`; needs no configuration and sends no request. The host has converted
   * the arguments to the types of the parameters. If an argument is unknown, the result is unknown too. Optional:
   * a provider without functions does not have this method.
   *
   * @throws Error for a function that the schema does not have
   */
  callFunction?(name: string, args: readonly Value[]): messages.FunctionResponse;

  /**
   * Creates a client for one provider configuration and one run. It sends no request before the first
   * operation that needs the service. Clients share only `ownership`. For a partly unknown configuration, it
   * refuses operations that need the service.
   */
  configure(config: ValueObject, run: RunOptions): ConfigureResponse;
}

/** A provider with its client and the cache of one run. */
export interface ConfiguredProvider {
  /**
   * Announces the reads of this run: objects to read or update, and types of data sources. Their number decides
   * whether objects are read individually or as a list. The types of data sources decide whether the run keeps
   * whole records or only a part of each record.
   */
  expectReads?(objects: readonly messages.ExpectedRead[], dataSources: readonly string[]): void;
  /** Identifies the service, without credentials. Undefined while the service is not known. */
  readonly service?: string;
  /**
   * Returns the identity of an object on the service, independent of its address. Equal texts mean the same
   * object. The request contains a state, or planned or declared attributes. The function looks up paths, and
   * sends no other requests. Undefined if the identity is not known. Optional: without it, no two objects are
   * known to be the same.
   */
  identify?(request: messages.IdentifyRequest): Resolution<string | undefined>;
  /**
   * Returns the username of the token's user, for questions to the user. It returns undefined if the service
   * does not return the name. It is optional.
   */
  currentUser?(): Promise<string | undefined>;
  /**
   * Returns the container of an object, from its attributes in a state, a plan or a declaration, as far as this
   * run knows the container. It sends no request. Optional: without it, hosts show the attributes.
   */
  containerOf?(type: string, attributes: ValueObject): messages.ObjectContainer | undefined;
  /**
   * Returns the attributes before a change, spelled like the attributes after it. An id and a path of the same
   * object become the same text, so a comparison shows only real differences. It sends no request: a path without
   * a look-up in this run stays as it is. Optional: without it, hosts compare texts.
   */
  spelledLike?(type: string, before: StoredState, after: StoredState): ValueObject;
  /**
   * Returns the id of an object's container, taken from the object's own id. If the object's id contains the
   * container's path instead of the container's id, it returns this path. A list of the service contains all
   * objects of one type and container. Sends no request. Optional: without it, each object is read by itself.
   */
  containerIdOf?(type: string, id: string): string;
  /**
   * Looks up the container of an object for `containerOf` if only the id of the container is known. It looks
   * up each container once per run. After a failed look-up, only the id is known. Optional: without this
   * method, hosts show only known paths.
   */
  learnContainer?(type: string, attributes: ValueObject): Promise<void>;
  /**
   * Returns the parts of shared sets that an object owns, such as a whole list, or one entry of it. No two
   * declarations may own the same part of one service. The request is the same as for `identify`. Optional:
   * without it, each object owns only itself.
   */
  owns?(request: messages.OwnsRequest): Promise<readonly Share[]>;
  /**
   * Registers the ownership of a declaration that is not planned. It reports parts that a planned declaration also
   * owns. It sends no request. Undefined if the container is not known. Optional: without it, only planned
   * declarations are compared.
   */
  claim?(request: messages.ClaimRequest): readonly Diagnostic[] | undefined;
  /**
   * Returns other types whose objects may own parts of the sets of this type. It is optional: without it,
   * there are none.
   */
  sharesWith?(type: string): readonly string[];
  /** Reads the object of a state. The result has no state if the object is gone. */
  readResource(request: messages.ReadRequest): Resolution<messages.StateResponse>;
  /**
   * Returns the optional attributes that the configuration set when the object was applied. Undefined if the state
   * does not contain them. Optional: without it, no state contains them.
   */
  declaredIn?(state: StoredState): readonly string[] | undefined;
  /**
   * Compares the declared paths of an object with the ids with which it was applied. A path whose object has moved
   * is a warning. A path that now belongs to another object is an error. Without a configuration, it compares the
   * paths of the state. Optional: without it, only plans compare.
   */
  declaredPaths?(request: messages.DeclaredPathsRequest): Resolution<readonly Diagnostic[]>;
  /**
   * Returns the errors of a planned change with a disputed path: another declaration uses the same path for
   * another object. It sends no request. It is optional: without it, there are none.
   */
  disputedPaths?(type: string, planned: StoredState): readonly Diagnostic[];
  /**
   * Plans one object: its attributes after an apply of the configuration. If the object must be replaced, the
   * result contains the attributes that require it.
   */
  planResource(request: messages.PlanRequest): Resolution<messages.PlanResponse>;
  /**
   * Returns whether `planResource` would return the prior state at once, without diagnostics. If the object was
   * not read, it also checks that `readResource` would return that state. If the result is true, it registers the
   * ownership of the object. It sends no request. It is optional: without it, each object is read and planned.
   */
  isUnchanged?(request: messages.StaysRequest): boolean;
  /**
   * Returns the live values that the create of this object replaces, such as a setting that always exists. Returns
   * undefined if no live object exists. It sends only reads. Optional: without it, nothing is known.
   */
  replacedValues?(request: messages.ReplacedRequest): Promise<messages.ReplacedValues | undefined>;
  /** Checks whether an object may be destroyed. Hosts may destroy an object without this call. */
  planDestroy(request: messages.PlanDestroyRequest): Promise<messages.PlanDestroyResponse>;
  /**
   * Returns the changes that the token's role or scopes don't allow, with the missing rights. Hosts call it before
   * the first change. Optional: without it, the service refuses the write itself.
   */
  checkRights?(changes: readonly messages.PlannedChange[]): Promise<readonly (readonly Diagnostic[])[]>;
  /**
   * Reports the access that these changes give and take away. It reads the live objects and sends no changes.
   * Parts that it can't read are reported as not counted. With `isWhole`, unchanged objects are among the changes.
   * Optional: without it, nothing is known about access.
   */
  describeAccess?(changes: readonly AccessRequest[], options?: AccessOptions): Promise<AccessReport>;
  /**
   * Returns the scopes and roles that a token needs to apply these changes. It leaves out a scope or role that
   * another scope or role in the result implies. It also returns whether this run's token has them. It only sends
   * reads. Optional: without it, nothing is known about rights.
   */
  describeRights?(changes: readonly AccessRequest[]): Promise<RightsReport>;
  /**
   * Returns the requests that `applyResource` would send, without its reads, and the errors that it would return
   * before the first request. It sends no changes. The configuration must not contain unknown values. Optional:
   * without it, the requests are not known.
   */
  rehearse?(
    request: messages.ApplyRequest,
  ): Promise<{ readonly requests: readonly PlannedRequest[]; readonly diagnostics: readonly Diagnostic[] }>;
  /**
   * Announces the objects that are declared after the run, and the destroyed objects, before the first change. A
   * delete then removes no declared part. A declaration of an object that would be destroyed adopts the object.
   * Optional: without it, a delete considers only the changes of the same client.
   */
  expectChanges?(
    staying: readonly messages.StayingObject[],
    leaving: readonly messages.LeavingObject[],
  ): Promise<void>;
  /**
   * Creates an object (without a prior state), updates it, or deletes it (without a planned state). With
   * errors, the state contains the parts that exist.
   */
  applyResource(request: messages.ApplyRequest): Promise<messages.ApplyResponse>;
  /** Finds the outcome of a change after an interrupted run recorded its intent. It sends no changes. */
  recoverResource(request: messages.RecoverRequest): Promise<messages.RecoverResponse>;
  /** Returns the state of a live object, by its import ID or its identity. */
  importResource(request: messages.ImportRequest): Promise<messages.StateResponse>;
  /**
   * Returns the selected containers page by page, each container once. They are in the order of the selection; the
   * containers inside a container follow it. `listResource` need not look up a container that this method has
   * returned. After `signal` is aborted, no further page is requested. Optional: without it, there is no listing
   * of live objects.
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
  /** Lists all live objects of one type in a container, for coverage, adoption and snapshots. */
  listResource(request: messages.ListRequest): Promise<messages.ListResponse>;
  /**
   * Returns the container of a declaration or of an object of the state, and the live parts that it owns.
   * A provider without this method has no coverage.
   */
  coveredBy?(object: messages.DeclaredObject): Promise<messages.CoverResponse>;
  readDataSource(request: messages.DataSourceRequest): Promise<messages.AttributesResponse>;
  close(): Promise<void>;
}

/** The options of a run, for `configure`. */
export interface RunOptions {
  /** The host; by default `steward`, the embedded engine. */
  readonly host?: HostName;
  /**
   * The environment that supplies values missing in the provider's configuration, such as a token. Default: the
   * environment of the process.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Cancels all operations in progress. */
  readonly signal?: AbortSignal;
  /** A signal to stop: the client sends no further change, and waits only for requests in flight. */
  readonly stop?: AbortSignal;
  /** The maximum number of requests in flight. By default, it adapts to the service. */
  readonly maxConcurrency?: number;
  /** The maximum number of requests per minute, for all configurations that share it. */
  readonly pace?: RequestPace | undefined;
  /** The memory that the clients of several runs share. The provider chooses the keys. */
  readonly memory?: Map<string, unknown> | undefined;
  /**
   * The token's rights that earlier clients of the same configuration have read. The provider chooses the keys.
   * With this map, a plan reads the rights together with the collections of its first changes, so that
   * `checkRights` sends no request.
   */
  readonly rights?: Map<string, unknown> | undefined;
  /**
   * The limit of the access report that the host requests after its plan. With it, a plan reads the members for new objects
   * together with the collections of these objects.
   */
  readonly access?: Pick<AccessOptions, "maxReads"> | undefined;
  /** The ownership that all clients of the run share. Without it, the clients share no ownership. */
  readonly ownership?: SharedOwnership;
  /** The clock for pauses; the system's by default. */
  readonly clock?: Clock;
  /** A function that receives every request, for progress and logs. The events contain no secrets. */
  readonly onRequest?: (event: RequestEvent) => void;
}

/** An event of a request, such as its response. Its `path` is relative to the API root and has no query. */
export type RequestEvent = Exclude<ClientEvent, { readonly type: "redirect" }>;

export interface ConfigureResponse {
  readonly provider?: ConfiguredProvider;
  readonly diagnostics: readonly Diagnostic[];
}
