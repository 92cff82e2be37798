import type { Provider, RequestEvent, StoredState } from "../../framework";
import type { Configuration } from "../../language";
import type { Attributes, ValueObject } from "../../schema";
import type { InstanceState, ResourceState } from "../../state";
import type { SensitiveTexts } from "../../text";
import type { OnEvent } from "../model/events";
import type { PendingRecovery } from "./pending-recovery";

/** An object of the state. */
export interface RecordedTarget {
  readonly address: string;
  readonly resource: Pick<ResourceState, "type" | "name">;
  readonly instance: Pick<InstanceState, "deposed">;
}

/**
 * What a saved plan recorded about what it leaves unchanged. A run that plans it again uses these values in place of
 * requests; everything else is read.
 */
export interface RecordedReads {
  /**
   * The recorded live object; undefined if it must be read.
   *
   * @param origin its address in the state
   * @param before the object in the state, upgraded to the current schema
   */
  object(object: RecordedTarget, origin: string, before: StoredState): StoredState | undefined;
  /**
   * The recorded data source; undefined if it must be read.
   *
   * @param attributes its schema
   */
  data(address: string, attributes: Attributes): ValueObject | undefined;
}

/** What a run over one stack depends on. */
export interface RunContext {
  readonly configuration: Configuration;
  /** Values for root variables, by name. */
  readonly variables: Readonly<Record<string, VariableInput>>;
  /** The providers by source address. */
  readonly providers: Readonly<Record<string, Provider>>;
  /** Environment variables for providers and backends; empty by default, whatever the process has. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Maximum number of concurrent requests; adaptive by default. */
  readonly parallelism?: number;
  /** Restricts the run to these addresses and their dependencies. */
  readonly targets?: readonly string[];
  /** Leaves out these addresses and what depends on them; never together with `targets`. */
  readonly excludes?: readonly string[];
  /** Restricts the run to objects in containers with these paths, in which `*` matches any text; not together with the two above. */
  readonly containers?: readonly string[];
  /** Restricts the run to the containers of a shard. */
  readonly share?: { readonly number: number; readonly total: number };
  /** Whether another stack of the app declares a resource: a restriction may name it for that stack. */
  readonly isDeclaredElsewhere?: (resource: string) => boolean;
  /** Addresses of instances to replace. */
  readonly replace?: readonly string[];
  /** False uses the objects of the state without a refresh. */
  readonly refresh?: boolean;
  /** Take over live objects in the place of new ones: they are imported. Otherwise they are errors. */
  readonly importsExisting?: boolean;
  /** How many members may leave a fleet whose list is empty or shrinks by more than a tenth. */
  readonly allowLeaving?: number | undefined;
  /** False looks for none. */
  readonly canFindExisting?: false;
  /** Describe who gains and who loses access by the plan. */
  readonly describesAccess?: boolean | "whole";
  /** Describe the rights that the plan needs. */
  readonly isDescribingRights?: boolean;
  /** Find out which requests an apply would send. */
  readonly isRehearsal?: boolean;
  /** What a saved plan recorded about the service, if it is planned again. */
  readonly recorded?: RecordedReads;
  /** Recoveries of an interrupted run that are still pending. */
  readonly pendingRecovery?: PendingRecovery;
  /** Start nothing more after the first failure. */
  readonly failFast?: boolean;
  /** Once aborted, nothing more is started; running requests are completed and saved. */
  readonly stop?: AbortSignal;
  /** Once aborted, running requests are abandoned as well. */
  readonly abort?: AbortSignal;
  /** Collects all sensitive values of the run, so that output can redact them. */
  readonly sensitive?: SensitiveTexts;
  readonly onEvent?: OnEvent;
  /** False sends no event for the read of each object, only the progress. */
  readonly announcesReads?: boolean;
  /** Receives unexpected exceptions, for logs. */
  readonly onFault?: (problem: unknown) => void;
  readonly onRequest?: (event: RequestEvent) => void;
}

/**
 * A variable's value: text as typed (--var, TF_VAR_) or JSON from a file. `origin` names the source in
 * messages.
 */
export type VariableInput =
  | { readonly from: "text"; readonly text: string; readonly origin: string }
  | { readonly from: "json"; readonly json: unknown; readonly origin: string };

/** Default number of concurrent visits while the number of requests adapts: more than ever run at once. */
export const VISIT_CONCURRENCY = 256;
/** Default number of concurrent changes while the number of requests adapts. */
export const APPLY_CONCURRENCY = 50;
