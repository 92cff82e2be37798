import type { Diagnostic } from "../../diagnostics";
import type { Provider, RequestEvent, StoredState } from "../../framework";
import type { Configuration } from "../../language";
import type { Attributes, ValueObject } from "../../schema";
import type { InstanceState, IntentEntry, ResourceState } from "../../state";
import { compareNatural, type SensitiveTexts } from "../../text";
import type { OnEvent } from "../results/events";

/** The fields of an object in the state. A saved plan uses these fields to find the recorded values of the object. */
export interface RecordedTarget {
  readonly address: string;
  readonly resource: Pick<ResourceState, "type" | "name">;
  readonly instance: Pick<InstanceState, "deposed">;
}

/**
 * The values that a saved plan recorded for unchanged objects. A run that plans again uses these values instead of requests,
 * and reads all other values.
 */
export interface RecordedReads {
  /**
   * Returns the recorded live object; undefined if it must be read.
   *
   * @param origin the address of the object in the state
   * @param before the object in the state, upgraded to the current schema
   */
  object(object: RecordedTarget, origin: string, before: StoredState): StoredState | undefined;
  /**
   * Returns the recorded data source; undefined if it must be read.
   *
   * @param attributes the schema of the data source
   */
  data(address: string, attributes: Attributes): ValueObject | undefined;
}

/** Signals that end a run early. */
export interface Signals {
  /** Once this signal is aborted, the run starts no further work; running requests are completed, and their results are saved. */
  readonly stop?: AbortSignal | undefined;
  /** Once this signal is aborted, running requests are also abandoned. */
  readonly abort?: AbortSignal | undefined;
}

/** The environment of a run. The engine reads none of these values from the process. */
export interface Environment {
  /** The absolute working folder, for relative paths. */
  readonly folder: string;
  /** Environment variables for the app, the backend and providers, and `TF_VAR_` values. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The events of loading stacks. */
export type LoadEvent =
  /** `stopping`: the app was asked to end because the run was stopped. */
  | { readonly kind: "app"; readonly phase: "started" | "stopping" | "ended" }
  | { readonly kind: "log"; readonly level: "info" | "debug"; readonly message: string };

/** The options of loading stacks. */
export interface LoadOptions extends Environment, Signals {
  /**
   * Names of environment variables that Steward withholds from the app, except the names in `appEnvironment` of its
   * cdktf.json. The option protects only against accidents, because a program can read the environment of its parent
   * process.
   */
  readonly withheldFromApp?: readonly string[] | undefined;
  /** Environment variables that only the app gets. */
  readonly addedForApp?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether a name without a stack becomes an error in the result, so that the stacks with the remaining names are still loaded.
   * By default, a name without a stack causes an exception.
   */
  readonly reportsUnknownStacks?: boolean | undefined;
  readonly onEvent?: ((event: LoadEvent) => void) | undefined;
}

/** The options that restrict a run to some objects, or limit the requests of the run. */
export interface RestrictedRun {
  /** The addresses to which the run is restricted. The dependencies of these addresses are included. */
  readonly targets?: readonly string[] | undefined;
  /**
   * The addresses that the run leaves out. The dependents of these addresses are left out too. Not allowed together with
   * `targets`.
   */
  readonly excludes?: readonly string[] | undefined;
  /**
   * The containers, by full path or id, to whose objects the run is restricted. `*` after a path matches any text. Not allowed
   * together with `targets` or `excludes`.
   */
  readonly containers?: readonly string[] | undefined;
  /** Whether the run refreshes the objects of the state. Default: true. If false, the run uses the values in the state. */
  readonly refresh?: boolean | undefined;
  /** Whether the run stops starting changes after the first failure. */
  readonly failFast?: boolean | undefined;
  /** Maximum number of concurrent requests; adaptive by default. */
  readonly parallelism?: number | undefined;
}

/** The options of a plan. */
export interface PlanWishes {
  /** Addresses of instances to replace. */
  readonly replace?: readonly string[] | undefined;
  /**
   * The number of members that may leave a fleet whose list is empty or shrinks by more than a tenth. The
   * default is 0.
   */
  readonly allowLeaving?: number | undefined;
  /**
   * Whether the plan reports, as `access`, who gains and who loses access. The report reads members and rules. `"whole"` also
   * describes the places whose access does not change. `"brief"` sends at most two requests on average for each container with
   * changes, and none without changes. A brief report does not count access for which it would need more requests. If the
   * report fails, the plan still succeeds.
   */
  readonly access?: boolean | "whole" | "brief" | undefined;
  /** Whether the plan contains, as `rights`, the rights that an apply of the plan needs. */
  readonly rights?: boolean | undefined;
  /** Whether the plan contains the requests that an apply would send, as `requests`. The plan sends none of these requests. */
  readonly requests?: boolean | undefined;
}

/** A stack whose state is in a file, for other stacks that read its outputs. */
export interface LocalState {
  readonly stack: string;
  /** The folder of the stack. */
  readonly folder: string;
  /** The path of the state, as the configuration of the backend contains it. */
  readonly path: string;
}

/** The rights of tokens by the key of the provider configuration. Each provider chooses the keys of its inner map. */
export type KnownRights = Map<string, Map<string, unknown>>;

/** The inputs of a run over one stack. */
export interface RunContext extends Signals, RestrictedRun, PlanWishes {
  readonly configuration: Configuration;
  /** Values for root variables, by name. */
  readonly variables: Readonly<Record<string, VariableInput>>;
  /** The providers by source address. */
  readonly providers: Readonly<Record<string, Provider>>;
  /** Environment variables for providers and backends. Default: none, not even the variables of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Returns the stacks of the app whose states are in files with relative paths. References between stacks need these states. */
  readonly localStates?: (() => readonly LocalState[]) | undefined;
  /** The shard to whose containers the run is restricted. */
  readonly share?: { readonly number: number; readonly total: number } | undefined;
  /**
   * Whether the app has other stacks, or the stack has other shards. The declarations of other stacks and shards can also
   * decide who has access.
   */
  readonly isOneOfSeveral?: boolean | undefined;
  /** Returns whether another stack of the app declares a resource. A restriction can name the resource for that stack. */
  readonly isDeclaredElsewhere?: (resource: string) => boolean;
  /** Whether the plan imports live objects that block new objects. Otherwise, such live objects are errors. */
  readonly importsExisting?: boolean | undefined;
  /**
   * If false, the plan does not search for live objects that prevent a create, or for live values that a create
   * overwrites.
   */
  readonly canFindExisting?: false;
  /** The token rights that the runs of one command have already read; undefined for a run that applies nothing. */
  readonly rightsKnown?: KnownRights | undefined;
  /** The service's values in a saved plan. Set only if the run makes this plan again. */
  readonly recorded?: RecordedReads;
  /** Set if some changes of an interrupted run are not recovered yet. */
  readonly pendingRecovery?: PendingRecovery;
  /** The texts of all sensitive values of the run, so that output can redact them. */
  readonly sensitive?: SensitiveTexts;
  readonly onEvent?: OnEvent;
  /** Whether the read of each object has an event. Default: true. If false, the run sends only progress events. */
  readonly announcesReads?: boolean | undefined;
  /** Receives unexpected exceptions, for logs. */
  readonly onFault?: ((problem: unknown) => void) | undefined;
  readonly onRequest?: (event: RequestEvent) => void;
}

/** The option that restricts a run to a part of the configuration, and the addresses that the option names. */
export interface Restriction {
  readonly option: "--target" | "--exclude" | "the selection of paths";
  /** The addresses that the option names. For a selection of containers, these are patterns of paths. */
  readonly addresses: readonly string[];
}

/** Returns the restriction of a run; undefined if the run is not restricted. */
export function restrictionOf({
  targets = [],
  excludes = [],
  containers = [],
  share,
}: Pick<RunContext, "targets" | "excludes" | "containers" | "share">): Restriction | undefined {
  if (share !== undefined)
    return {
      option: "the selection of paths",
      addresses: [`shard ${share.number}/${share.total}`],
    };
  if (containers.length > 0)
    return { option: "the selection of paths", addresses: [...containers].sort(compareNatural) };
  if (targets.length > 0) return { option: "--target", addresses: targets };
  return excludes.length > 0 ? { option: "--exclude", addresses: excludes } : undefined;
}

/** Changes of an interrupted run that could not be recovered. No request may be sent for the objects of these changes. */
export interface PendingRecovery {
  readonly intents: readonly IntentEntry[];
  /** The reasons why changes could not be recovered. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A variable's value: text as typed (--var, TF_VAR_) or JSON from a file. `origin` names the source in
 * messages.
 */
export type VariableInput =
  | { readonly from: "text"; readonly text: string; readonly origin: string }
  | { readonly from: "json"; readonly json: unknown; readonly origin: string };

/**
 * The default number of concurrent visits. The number is higher than any number of concurrent requests, so that visits
 * never limit the requests.
 */
export const VISIT_CONCURRENCY = 256;
/** The default number of concurrent changes, if the user sets no parallelism. */
export const APPLY_CONCURRENCY = 50;
