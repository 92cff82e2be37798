import type { AttributePath, Diagnostic } from "../../diagnostics";
import type { Clock } from "../../http";
import type { ObservedBeforeCreate, ProviderSchema, StoredState, ValueObject } from "../../schema";
import type { Share } from "../ownership/shares";
import type { HostName } from "./hosts";

export type { ObservedBeforeCreate, StoredState } from "../../schema";
export { type Share, Shares } from "../ownership/shares";

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

export interface UpgradeResponse {
  readonly attributes?: ValueObject;
  readonly diagnostics: readonly Diagnostic[];
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

export interface MoveResponse {
  readonly state?: StoredState;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ExpectedRead {
  readonly type: string;
  /** As it stands in the state. */
  readonly id: string;
}

export interface IdentifyRequest extends StoredState {
  readonly type: string;
  /** Asks for nothing: a path names what this run was answered, or what an object remembers that was identified before. */
  readonly asksNothing?: boolean;
}

export interface ReadRequest {
  readonly type: string;
  readonly state: StoredState;
}

export interface ReadResponse {
  readonly state?: StoredState;
  readonly diagnostics: readonly Diagnostic[];
}

export interface PlanRequest {
  readonly type: string;
  /** Where the declaration stands, for errors that name it; hosts that speak the plugin protocol don't know it. */
  readonly address?: string;
  readonly prior: StoredState | undefined;
  readonly config: ValueObject;
  /**
   * Where the host itself decided on a replacement (`-replace`) and plans again without a prior state: the private
   * bytes of the first plan. They tell that both plans are of one declaration.
   */
  readonly plannedBefore?: string | undefined;
}

export interface PlanResponse {
  readonly planned?: StoredState;
  /** The attributes whose change needs a new object; the host then plans again without a prior state. */
  readonly requiresReplace: readonly AttributePath[];
  /** Of a new object: what is known of its place without asking for it. */
  readonly observed?: ObservedBeforeCreate;
  readonly diagnostics: readonly Diagnostic[];
}

export interface PlanDestroyRequest {
  readonly type: string;
  /** Where the object stands, if the host says so. */
  readonly address?: string | undefined;
  readonly prior: StoredState;
}

/** All but the diagnostics is for a host that has told what stays (`expectChanges`). */
export interface PlanDestroyResponse {
  /** An address that declares what there is of it: nothing goes but its own address. */
  readonly keptBy?: string;
  /** The attributes of what goes, where a part of it is declared elsewhere. */
  readonly leaves?: ValueObject;
  /** The addresses that declare the parts that stay. */
  readonly takenOverBy?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A change that a plan holds: a create without a prior, a deletion without a planned state. */
export interface PlannedChange {
  readonly type: string;
  readonly prior: StoredState | undefined;
  readonly planned: StoredState | undefined;
}

/** A declaration whose object stays as it is, is changed, or is to be made. */
export interface StayingObject {
  readonly type: string;
  readonly address: string;
  /** The id of the object that it has and keeps; none where one is to be made. */
  readonly object?: string | undefined;
  readonly planned: StoredState;
}

/** An object that is to be destroyed. */
export interface LeavingObject extends StoredState {
  readonly type: string;
  /** None where what replaces it at its address is made first: that may be the same object. */
  readonly address?: string;
}

export interface ApplyRequest {
  readonly type: string;
  /** Where the object stands, if the host says so. */
  readonly address?: string | undefined;
  readonly prior: StoredState | undefined;
  /** Nothing for a deletion. */
  readonly planned: StoredState | undefined;
  /** Nothing for a deletion. */
  readonly config: ValueObject | undefined;
}

export interface ApplyResponse {
  /** What exists now. Nothing after a deletion, or where a create made nothing. */
  readonly state?: StoredState;
  /**
   * With the errors of a create: what exists is sound, only not all that was declared. A host that can should update
   * it next time, and not replace it.
   */
  readonly isSound?: boolean;
  /** With the errors of a create: the object may exist all the same, and it could not be told whether it does. */
  readonly isUncertain?: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** A change as it was about to be sent: a create without a prior, a deletion without a plan. */
export interface RecoverRequest {
  readonly type: string;
  readonly prior: StoredState | undefined;
  /** Attributes that were to be known after the write are left out. */
  readonly planned: StoredState | undefined;
  /** Of a create: what the plan gave. */
  readonly observed?: ObservedBeforeCreate | undefined;
}

/** None of the outcomes where there are errors: then it could not be told. */
export interface RecoverResponse {
  /**
   * `foreign`: a create's place is taken by what does not match it, or was there before it, so somebody else made that.
   * `in-part`: what exists is sound, only not all that was declared.
   */
  readonly outcome?: "done" | "in-part" | "not-done" | "foreign";
  /** What exists now and is ours. */
  readonly state?: StoredState;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ImportRequest {
  readonly type: string;
  readonly id: string;
}

export interface ImportResponse {
  readonly state?: StoredState;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ListRequest {
  readonly type: string;
  /** Numeric id or full path of the container that holds them. */
  readonly within: string;
}

export interface ListResponse {
  /** As an import would give them; none on errors. */
  readonly objects: readonly StoredState[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A declaration, with the state of its object where there is one. What is not known yet claims nothing. */
export interface DeclaredObject {
  readonly type: string;
  readonly config: ValueObject;
  readonly state: StoredState | undefined;
}

export interface UndeclaredRequest {
  readonly declared: readonly DeclaredObject[];
}

export interface UndeclaredResponse {
  /** Tells apart services; the same for every client of one. */
  readonly service: string;
  /** What was looked through, such as `space 42`. */
  readonly containers: readonly string[];
  readonly objects: readonly UndeclaredObject[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface UndeclaredObject {
  readonly type: string;
  /** One of `containers`. */
  readonly container: string;
  /** As an import would give it. */
  readonly state: StoredState;
}

export interface DataSourceRequest {
  readonly type: string;
  readonly config: ValueObject;
}

export interface DataSourceResponse {
  readonly attributes?: ValueObject;
  readonly diagnostics: readonly Diagnostic[];
}
