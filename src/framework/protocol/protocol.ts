import type { Diagnostic } from "../../diagnostics";
import type { Clock } from "../../http";
import type { ProviderSchema, StoredState, ValueObject } from "../../schema";
import type { Share } from "../ownership/shares";
import type { HostName } from "./hosts";
import type {
  ApplyRequest,
  ApplyResponse,
  DataSourceRequest,
  DataSourceResponse,
  ExpectedRead,
  IdentifyRequest,
  ImportRequest,
  ImportResponse,
  LeavingObject,
  ListRequest,
  ListResponse,
  MoveRequest,
  MoveResponse,
  PlanDestroyRequest,
  PlanDestroyResponse,
  PlannedChange,
  PlanRequest,
  PlanResponse,
  ReadRequest,
  ReadResponse,
  RecoverRequest,
  RecoverResponse,
  StayingObject,
  UndeclaredRequest,
  UndeclaredResponse,
  UpgradeResponse,
} from "./messages";

export type { ObservedBeforeCreate, StoredState } from "../../schema";
export { type Share, Shares } from "../ownership/shares";
export type * from "./messages";

/**
 * What a host may ask of a provider. The operations are those of Terraform's plugin protocol, and `list`; so one
 * declaration behaves the same under every engine.
 *
 * Operations answer with diagnostics and throw only what is a fault of the program itself.
 */
export interface Provider {
  readonly schema: ProviderSchema;
  /** Its release, such as `1.2.0`, where the host knows it: configurations may ask for another one. */
  readonly version?: string;

  /** The path of a request without names that somebody chose; without it, paths hold none. */
  redactPath?(path: string): string;

  /** Checks the provider's own configuration; asks nothing of the service. */
  validateProvider(config: ValueObject): readonly Diagnostic[];
  /** Checks one resource's configuration; values not known yet are passed over. Asks nothing of the service. */
  validateResource(type: string, config: ValueObject): readonly Diagnostic[];
  validateDataSource(type: string, config: ValueObject): readonly Diagnostic[];

  /** Brings attributes stored under an older schema version to the present one. */
  upgradeResource(type: string, version: number, attributes: ValueObject): UpgradeResponse;
  /**
   * Makes of the state of another provider's resource one of ours, where a moved block leads from there to here. Asks
   * nothing of the service: what only that knows, the next read fills in.
   */
  moveResource(request: MoveRequest): MoveResponse;

  /**
   * Makes a client for one provider configuration and one run. Nothing is asked of the service before the first
   * real request; two runs, and two configurations, share nothing. A configuration that is known in part only gives a
   * provider as well: it refuses what needs the service, and plans what doesn't.
   */
  configure(config: ValueObject, run: RunOptions): ConfigureResponse;
}

/** A provider with its client: what it read once in a run is not read again. */
export interface ConfiguredProvider {
  /**
   * A host that knows what it will read in this run says so first: the objects that it will read or update, and the
   * types of its data sources. Whether each object is asked for alone, or all of their kind at once, depends on how many
   * there are; how much is kept of a record, on who will show it.
   */
  expectReads?(objects: readonly ExpectedRead[], dataSources: readonly string[]): void;
  /** Names the service that it talks to, without credentials; nothing while that isn't known. */
  readonly service?: string;
  /**
   * What an object is for the service, whatever address declares it: texts that are equal mean the same object. Takes a
   * state, or planned or declared attributes; resolves paths, and reads nothing else. Nothing where it is not known yet,
   * or can't be told. Optional: without it, no two objects are known to be the same.
   */
  identify?(request: IdentifyRequest): Promise<string | undefined>;
  /**
   * What an object owns of sets that others may own too, such as all of a list, or one entry of it: of one service, no
   * two declarations may own the same. Asks and answers as `identify` does. Optional: without it, each owns itself alone.
   */
  owns?(request: IdentifyRequest): Promise<readonly Share[]>;
  /** The other types whose objects may own parts of what an object of this type owns. Optional: without it, none does. */
  sharesWith?(type: string): readonly string[];
  /** The state as the service has it now; without a state where the object is gone. */
  readResource(request: ReadRequest): Promise<ReadResponse>;
  /**
   * The attributes that may be left out and that the configuration set when the object was applied, as its state notes;
   * nothing where the state does not say. Optional: without it, no state does.
   */
  declaredIn?(state: StoredState): readonly string[] | undefined;
  /** What applying the configuration would make of the prior state, and what forces a new object. */
  planResource(request: PlanRequest): Promise<PlanResponse>;
  /** Whether an object may be destroyed, before anything is. Hosts may ask, and need not. */
  planDestroy(request: PlanDestroyRequest): Promise<PlanDestroyResponse>;
  /**
   * Which of these changes the token's role or scopes don't allow, each with what it lacks; asked before the first is
   * made. Optional: without it, and where it can't be told, the write itself is refused.
   */
  checkRights?(changes: readonly PlannedChange[]): Promise<readonly (readonly Diagnostic[])[]>;
  /**
   * What will be declared when the run is over, and what goes, told before the first change by a host that knows it all:
   * no deletion takes away what stays declared, and who declares what goes takes it over. Optional: without it, only what
   * the same client changes counts.
   */
  expectChanges?(staying: readonly StayingObject[], leaving: readonly LeavingObject[]): Promise<void>;
  /** Creates (no prior), updates, or deletes (no planned) one object. On errors the state says what exists all the same. */
  applyResource(request: ApplyRequest): Promise<ApplyResponse>;
  /** What became of a change that an interrupted run had noted and may have sent. Only looks. */
  recoverResource(request: RecoverRequest): Promise<RecoverResponse>;
  /** The state of a live object, from the id that users import by. */
  importResource(request: ImportRequest): Promise<ImportResponse>;
  /** Everything live of one type in a container: for coverage and adoption. */
  listResource(request: ListRequest): Promise<ListResponse>;
  /**
   * What is live in the containers that declarations touch and that none of them declares: for coverage.
   * Settings that exist anyway are not looked for. Optional: without it there is no coverage.
   */
  listUndeclared?(request: UndeclaredRequest): Promise<UndeclaredResponse>;
  readDataSource(request: DataSourceRequest): Promise<DataSourceResponse>;
  close(): Promise<void>;
}

/** What a host tells the provider of the run that it is configured for. */
export interface RunOptions {
  /** Who asks: `steward`, the embedded engine, where nothing is said. */
  readonly host?: HostName;
  /** Gives what the provider's configuration leaves out, such as a token; the process's own without it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Gives up whatever is under way. */
  readonly signal?: AbortSignal;
  /** Once aborted no change is sent any more, and nothing is waited for but what was sent. */
  readonly stop?: AbortSignal;
  /** How many requests may be under way at once; adaptive without it. */
  readonly maxConcurrency?: number;
  /** What pauses are measured by; the system's clock by default. */
  readonly clock?: Clock;
  /** Told of every request, for progress and logs. Holds no secret. */
  readonly onRequest?: (event: RequestEvent) => void;
}

/** One step of one request; `path` is below the API's root and has no query. */
export type RequestEvent =
  | { readonly kind: "sent"; readonly method: string; readonly path: string; readonly attempt: number }
  | {
      readonly kind: "answered";
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly milliseconds: number;
    }
  /** Nothing is sent for this time: a retry of one request, or a rate limit for all. */
  | { readonly kind: "waiting"; readonly milliseconds: number; readonly reason: string };

export interface ConfigureResponse {
  readonly provider?: ConfiguredProvider;
  readonly diagnostics: readonly Diagnostic[];
}
