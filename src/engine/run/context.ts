import type { Provider, RequestEvent } from "../../framework";
import type { Configuration } from "../../language";
import type { SensitiveTexts } from "../../text";
import type { OnEvent } from "../model/events";
import type { Recorded } from "./recorded";
import type { Unsettled } from "./unsettled";

/** What the engine works on in one run over one stack. */
export interface RunContext {
  readonly configuration: Configuration;
  /** Values given for root variables, by name. */
  readonly variables: Readonly<Record<string, VariableInput>>;
  /** By source address. */
  readonly providers: Readonly<Record<string, Provider>>;
  /** What providers and backends take from the environment; nothing by default, whatever the process has. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How many requests may be under way at once; adaptive without it. */
  readonly parallelism?: number;
  /** Addresses; only they and what they depend on are worked on. */
  readonly targets?: readonly string[];
  /** Addresses of instances that are replaced though nothing else asks for it. */
  readonly replace?: readonly string[];
  /** False takes the objects as the state has them, without a look at the service. */
  readonly refresh?: boolean;
  /** Where a saved plan is worked out again: what it says of the service. */
  readonly recorded?: Recorded;
  /** What an interrupted run left open, where that could not be settled. */
  readonly unsettled?: Unsettled;
  /** Begin nothing more after the first failure. */
  readonly failFast?: boolean;
  /** Once aborted nothing more is begun; what is under way is finished and saved. */
  readonly stop?: AbortSignal;
  /** Once aborted the requests under way are given up as well. */
  readonly abort?: AbortSignal;
  /** Learns every sensitive value that the run meets, for who shows what it tells. */
  readonly sensitive?: SensitiveTexts;
  readonly onEvent?: OnEvent;
  /** Told of exceptions that became a diagnostic, for logs. */
  readonly onFault?: (problem: unknown) => void;
  readonly onRequest?: (event: RequestEvent) => void;
}

/** A variable's value: text as typed (--var, TF_VAR_), or JSON from a file. `origin` says where it came from. */
export type VariableInput =
  | { readonly from: "text"; readonly text: string; readonly origin: string }
  | { readonly from: "json"; readonly json: unknown; readonly origin: string };

/** How many declarations are worked on at once where the number of requests adapts: more than are ever under way. */
export const WIDTH = 256;
/** How many changes are applied at once where the number of requests adapts. */
export const APPLY_WIDTH = 50;
