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
 * The interface between hosts and a provider. Its operations are the operations of Terraform's plugin protocol, and `list`. A
 * declaration therefore has equal results under every engine.
 *
 * Operations return diagnostics and throw only internal errors. An operation with a `Resolution` responds
 * synchronously if it needs no request.
 */
export interface Provider {
  readonly schema: ProviderSchema;
  /** The release of the provider, such as `1.2.0`, which version constraints restrict. */
  readonly version?: string;
  /** The types that `listResource` can list. Without this property, `listResource` can list no types. */
  readonly listed?: Readonly<Record<string, messages.ListedType>>;

  /**
   * Returns the path of a request without user-chosen names. A provider omits this function if its paths contain no user-chosen
   * names.
   */
  redactPath?(path: string): string;

  /** Returns the problems of the provider's configuration. Sends no request. */
  validateProvider(config: ValueObject): readonly Diagnostic[];
  /**
   * Returns the problems of one resource's configuration. Unknown values are not checked. An omitted attribute can be absent or
   * null. Names that are not attributes are ignored. Sends no request.
   */
  validateResource(type: string, config: ValueObject): readonly Diagnostic[];
  validateDataSource(type: string, config: ValueObject): readonly Diagnostic[];

  /** Returns the problems of a query's configuration. A provider without `schema.listResources` omits this function. */
  validateQuery?(type: string, config: ValueObject): readonly Diagnostic[];

  /**
   * Returns whether a destroy of an object with these attributes changes nothing on the service. An example is a setting that
   * always exists. Sends no request. Without this function, hosts assume that a destroy changes the service.
   */
  isLeftOnDestroy?(type: string, attributes: ValueObject): boolean;

  /**
   * Returns the paths in a planned change whose ids are missing in the object's state, or differ from the ids there. A repair
   * does not write these paths. Sends no request. Without this function, hosts treat no path as new.
   */
  newPaths?(type: string, before: StoredState, planned: StoredState): readonly string[];

  /**
   * Returns the parts of an object's id, whose format only the provider knows. Sends no request. Without this function, hosts do
   * not use parts of an id.
   */
  idParts?(type: string, id: string): messages.IdParts;

  /** Converts stored attributes from an older schema version to the current version. */
  upgradeResource(type: string, version: number, attributes: ValueObject): messages.AttributesResponse;
  /**
   * Converts a stored identity from an older version of its schema to the current version. A provider whose resources have no
   * identities omits this function.
   */
  upgradeIdentity?(type: string, version: number, identity: ValueObject): messages.AttributesResponse;
  /**
   * Converts the state of another provider's resource to a state of this provider, for a moved block. Sends no request, so only
   * the next read completes the state.
   */
  moveResource(request: messages.MoveRequest): messages.StateResponse;

  /**
   * Calls a function of `schema.functions`. Needs no configuration and sends no request. The arguments must have the types of the
   * parameters. If an argument is unknown, the result is unknown too. A provider without functions omits this method.
   *
   * @throws Error for a function that the schema does not have
   */
  callFunction?(name: string, args: readonly Value[]): messages.FunctionResponse;

  /**
   * Creates a client for one provider configuration and one run. The client sends no request before an operation needs the
   * service. Clients share only `ownership`. If the configuration contains unknown values, the client refuses operations that
   * need the service.
   */
  configure(config: ValueObject, run: RunOptions): ConfigureResponse;
}

/** A provider with the client and the cache of one run. */
export interface ConfiguredProvider {
  /**
   * Announces the reads of this run: the objects to read or update, and the types of data sources. The number of objects decides
   * whether objects are read one by one or as a list. The types of data sources decide whether the run caches whole records or
   * only the projection.
   */
  expectReads?(objects: readonly messages.ExpectedRead[], dataSources: readonly string[]): void;
  /** A text without credentials that identifies the service; undefined if the service is unknown. */
  readonly service?: string;
  /**
   * Returns a text that identifies an object on the service, independent of its address; undefined if the object is not known.
   * Equal texts mean the same object. The request contains a state, or planned or declared attributes. Look-ups of paths are the
   * only requests. Without this function, hosts treat all objects as different.
   */
  identify?(request: messages.IdentifyRequest): Resolution<string | undefined>;
  /** Returns the username of the token's user, for questions to the user; undefined if the service does not return it. */
  currentUser?(): Promise<string | undefined>;
  /**
   * Returns the container of an object, from the attributes in a state, a plan or a declaration; undefined if this run does not
   * know it. Sends no request. Without this function, hosts show the attributes instead.
   */
  containerOf?(type: string, attributes: ValueObject): messages.ObjectContainer | undefined;
  /**
   * Returns the attributes before a change, in the spelling of the attributes after the change. An id and a path of one object
   * become one text, so a comparison shows only real differences. Sends no request, so a path that this run has not looked up
   * keeps its spelling. Without this function, hosts compare texts.
   */
  spelledLike?(type: string, before: StoredState, after: StoredState): ValueObject;
  /**
   * Returns the container part of an object's id: the id of the container, or its path if the object's id contains the path. A
   * list of the service contains all objects of one type and container. Sends no request. Without this function, each object is
   * read separately.
   */
  containerIdOf?(type: string, id: string): string;
  /**
   * Looks up the container of an object for `containerOf`, if this run knows only the container's id. Each container is looked up
   * once per run. After a failed look-up, only the id is known. Without this method, hosts show only known paths.
   */
  learnContainer?(type: string, attributes: ValueObject): Promise<void>;
  /**
   * Returns the parts of shared sets that an object owns, such as a whole list or one entry of a list. On one service, two
   * declarations must not own the same part. The request equals the request of `identify`. Without this function, each object
   * owns only itself.
   */
  owns?(request: messages.OwnsRequest): Promise<readonly Share[]>;
  /**
   * Registers the ownership of a declaration without a plan. Returns errors about parts that a planned declaration also owns;
   * undefined if the container is unknown. Sends no request. Without this function, only planned declarations are compared.
   */
  claim?(request: messages.ClaimRequest): readonly Diagnostic[] | undefined;
  /**
   * Returns the other types whose objects can own parts of the sets of this type. Without this function, no other type owns parts
   * of this type's sets.
   */
  sharesWith?(type: string): readonly string[];
  /** Returns the current state of an object. The result has no state if the object is gone. */
  readResource(request: messages.ReadRequest): Resolution<messages.StateResponse>;
  /**
   * Returns the names of the optional attributes that the configuration set at the last apply; undefined if the state does not
   * record them. Without this function, no state records the names of the attributes that were set.
   */
  declaredIn?(state: StoredState): readonly string[] | undefined;
  /**
   * Compares the declared paths of an object with the ids of the last apply. Returns a warning for a path whose object has
   * another path now, and an error for a path that now means another object. Without a configuration, the paths of the state are
   * compared. Without this function, only plans compare paths.
   */
  declaredPaths?(request: messages.DeclaredPathsRequest): Resolution<readonly Diagnostic[]>;
  /**
   * Returns the errors of a planned change with a disputed path, which another declaration uses for another object. Sends no
   * request. Without this function, hosts report no errors about disputed paths.
   */
  disputedPaths?(type: string, planned: StoredState): readonly Diagnostic[];
  /**
   * Plans one object. The result contains its attributes after an apply of the configuration. If a replacement is necessary, the
   * result contains the attributes that require the replacement.
   */
  planResource(request: messages.PlanRequest): Resolution<messages.PlanResponse>;
  /**
   * Returns whether `planResource` would return the prior state without diagnostics. If the object was not read yet, the result
   * is true only if `readResource` would also return the prior state. If the result is true, the ownership of the object is
   * registered. Sends no request. Without this function, each object is read and planned.
   */
  isUnchanged?(request: messages.StaysRequest): boolean;
  /**
   * Returns the live values that the create of this object replaces, for example of a setting that always exists; undefined if no
   * live object exists. Sends only reads. Without this function, these values are unknown.
   */
  replacedValues?(request: messages.ReplacedRequest): Promise<messages.ReplacedValues | undefined>;
  /**
   * Plans the destroy of an object, and returns errors if the destroy is not allowed. A host can also destroy an object without
   * this plan.
   */
  planDestroy(request: messages.PlanDestroyRequest): Promise<messages.PlanDestroyResponse>;
  /**
   * Returns a list of errors and warnings for each change, about rights that the token's role or scopes lack. Hosts call this
   * function before the first change. Without this function, only the service checks rights.
   */
  checkRights?(changes: readonly messages.PlannedChange[]): Promise<readonly (readonly Diagnostic[])[]>;
  /**
   * Returns a report about the access that these changes give and take away. Sends only reads. If the report can't read a part,
   * it lists this part as not counted. With `isWhole`, `changes` also contains unchanged objects. Without this function, there is
   * no access report.
   */
  describeAccess?(changes: readonly AccessRequest[], options?: AccessOptions): Promise<AccessReport>;
  /**
   * Returns the scopes and roles that a token needs to apply these changes, and whether this run's token has each of them. Rights
   * that other rights in the result imply are left out. Sends only reads. Without this function, there is no rights report.
   */
  describeRights?(changes: readonly AccessRequest[]): Promise<RightsReport>;
  /**
   * Returns the changing requests that `applyResource` would send, and the errors that it would return before the first request.
   * Sends only reads. The configuration must not contain unknown values. Without this function, these requests are unknown.
   */
  rehearse?(
    request: messages.ApplyRequest,
  ): Promise<{ readonly requests: readonly PlannedRequest[]; readonly diagnostics: readonly Diagnostic[] }>;
  /**
   * Announces, before the first change, the objects that stay declared and the objects to destroy. With this announcement, a
   * delete removes no declared part, and a declaration of an object to destroy adopts this object. Without this function, a
   * delete considers only changes of the same client.
   */
  expectChanges?(
    staying: readonly messages.StayingObject[],
    leaving: readonly messages.LeavingObject[],
  ): Promise<void>;
  /**
   * Creates an object (without a prior state), updates it, or deletes it (without a planned state). After errors, the returned
   * state contains the parts that exist.
   */
  applyResource(request: messages.ApplyRequest): Promise<messages.ApplyResponse>;
  /** Finds the outcome of a change whose intent an interrupted run recorded. Sends only reads. */
  recoverResource(request: messages.RecoverRequest): Promise<messages.RecoverResponse>;
  /** Returns the state of a live object, which the request names by import ID or identity. */
  importResource(request: messages.ImportRequest): Promise<messages.StateResponse>;
  /**
   * Yields the selected containers page by page, each container once, in the order of the selection. The containers inside a
   * container follow this container. `listResource` does not look up a container that this method has returned. After `signal` is
   * aborted, no further page is requested. Without this method, hosts can't list live objects.
   */
  findContainers?(
    selection: messages.ContainerSelection,
    signal?: AbortSignal,
  ): AsyncIterable<messages.FoundContainers>;
  /**
   * Yields the live objects of one type in the containers that a configuration names, in the order of the containers. After
   * `signal` is aborted, the requests in flight end, and no further request is sent. Without this method, hosts can't query a
   * type.
   */
  queryResource?(request: messages.QueryRequest, signal?: AbortSignal): AsyncIterable<messages.QueryEvent>;
  /** Returns all live objects of one type in a container, for coverage, adoption and snapshots. */
  listResource(request: messages.ListRequest): Promise<messages.ListResponse>;
  /**
   * Returns the container of a declaration, or of an object in the state, and the parts that it owns. A provider without this
   * method has no coverage.
   */
  coveredBy?(object: messages.DeclaredObject): Promise<messages.CoverResponse>;
  readDataSource(request: messages.DataSourceRequest): Promise<messages.AttributesResponse>;
  close(): Promise<void>;
}

/** The options of a run, for `configure`. */
export interface RunOptions {
  /** The name of the host. Default: `steward`, which is the embedded engine. */
  readonly host?: HostName;
  /**
   * The environment variables that supply values missing in the provider's configuration, such as a token. Default: the
   * environment of the process.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A signal that cancels all operations in progress. */
  readonly signal?: AbortSignal;
  /** A signal to stop. After this signal, the client sends no further change, and waits only for requests in flight. */
  readonly stop?: AbortSignal;
  /** The maximum number of requests in flight. By default, the number adapts to the service. */
  readonly maxConcurrency?: number;
  /** The maximum number of requests per minute. All provider configurations with this object share the limit. */
  readonly pace?: RequestPace | undefined;
  /** Data that the clients of several runs share. The provider chooses the keys. */
  readonly memory?: Map<string, unknown> | undefined;
  /**
   * The token's rights that earlier clients of this configuration have read. The provider chooses the keys. With this
   * map, a plan reads rights when it reads a collection for its first changes. `checkRights` then sends no request.
   */
  readonly rights?: Map<string, unknown> | undefined;
  /**
   * The limit of the access report that the host requests after its plan. With this limit, a plan reads the members for new
   * objects at the same time as the collections of these objects.
   */
  readonly access?: Pick<AccessOptions, "maxReads"> | undefined;
  /** The ownership that all clients of the run share. Without this option, each client has separate ownership. */
  readonly ownership?: SharedOwnership;
  /** The clock that measures pauses. Default: the system's clock. */
  readonly clock?: Clock;
  /** A function that receives an event for every request, for progress and logs. Events contain no secrets. */
  readonly onRequest?: (event: RequestEvent) => void;
}

/** An event of a request, such as its response. The `path` of the event is relative to the API root and has no query. */
export type RequestEvent = Exclude<ClientEvent, { readonly type: "redirect" }>;

export interface ConfigureResponse {
  readonly provider?: ConfiguredProvider;
  readonly diagnostics: readonly Diagnostic[];
}
