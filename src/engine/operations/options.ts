import path from "node:path";
import type { Provider } from "../../framework";
import type { Signals } from "../source/environment";
import type { GivenVariable } from "../source/variables";
import type { StacksEvent } from "./events";
import type { StacksOptions } from "./run-stacks";

/** What every operation takes. Nothing is read from the process but its working folder, where `folder` is left out. */
export interface EngineOptions {
  /** The providers that configurations may use, such as `createProvider()` of `cdktf-provider-steward/provider`. */
  readonly providers: readonly Provider[];
  /** Where relative paths begin; the working folder of the process by default. */
  readonly folder?: string | undefined;
  /**
   * Environment variables: of the app that is run, of the backend (`TF_HTTP_…`), of providers (such as a token), and
   * `TF_VAR_…` values. Empty by default; give `process.env` to hand on your own.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The names of the stacks to work on; all by default. */
  readonly stacks?: readonly string[] | undefined;
  /** A file that keeps the state, in the place of what the configuration says. */
  readonly state?: string | undefined;
  /** Values of variables by their names, as JSON has them. They come before those of files and of `env`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Files of variables, in Terraform's syntax or as JSON; of several values the last counts. */
  readonly variableFiles?: readonly string[] | undefined;
  /** Addresses; only they and what they depend on are worked on. */
  readonly targets?: readonly string[] | undefined;
  /** False takes the objects as the state has them, without a look at the service. */
  readonly refresh?: boolean | undefined;
  /** True begins nothing more after the first failure. */
  readonly failFast?: boolean | undefined;
  /** How many requests may be under way at once; adaptive by default. */
  readonly parallelism?: number | undefined;
  /** How long to wait for a state that another run holds, in milliseconds; 0 by default. */
  readonly lockTimeout?: number | undefined;
  /** Once aborted nothing more is begun; what was sent is awaited, and saved. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Once aborted, requests under way are given up as well. What became of them is then unknown: the journal keeps them, and
   * the next run looks on the service.
   */
  readonly abandon?: AbortSignal | undefined;
}

/** The surroundings of a run, as the options have them. */
export const environmentOf = ({ folder = ".", env = {}, signal, abandon }: EngineOptions) => ({
  folder: path.resolve(folder),
  env,
  stop: signal satisfies Signals["stop"],
  abort: abandon satisfies Signals["abort"],
});

/** The same options as a run over stacks takes them. */
export const stacksOptions = (
  options: EngineOptions,
  onEvent: (event: StacksEvent) => void,
): StacksOptions => ({
  ...environmentOf(options),
  providers: Object.fromEntries(options.providers.map((provider) => [provider.schema.source, provider])),
  state: options.state,
  variables: variablesOf(options),
  targets: options.targets ?? [],
  refresh: options.refresh ?? true,
  failFast: options.failFast ?? false,
  parallelism: options.parallelism,
  lockTimeout: options.lockTimeout ?? 0,
  onEvent,
});

const variablesOf = ({ variables = {}, variableFiles = [] }: EngineOptions): GivenVariable[] => [
  ...variableFiles.map((file) => ({ from: "file", file }) as const),
  ...Object.entries(variables).map(([name, value]) => ({ from: "value", name, value }) as const),
];
