import path from "node:path";
import { fail } from "../../diagnostics";
import type { Provider } from "../../framework";
import type { Signals } from "../run/context";
import type { Shard } from "../source/shards";
import type { GivenVariable } from "../source/variables";
import type { StacksEvent } from "./run";
import type { StacksOptions, StateRun } from "./run-stacks";

/**
 * The options of every operation. The engine takes nothing from the process but the working folder, if
 * `folder` is omitted.
 */
export interface EngineOptions extends StateRun {
  /** The providers that configurations may use, such as `createProvider()` of `cdktf-provider-steward/provider`. */
  readonly providers: readonly Provider[];
  /** The folder for relative paths; by default the process's working folder. */
  readonly folder?: string | undefined;
  /**
   * Environment variables for the app, the backend (`TF_HTTP_…`) and providers (such as a token), and
   * `TF_VAR_…` values. Empty by default; pass `process.env` to use your own.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The names of the stacks to process; all by default. */
  readonly stacks?: readonly string[] | undefined;
  /** A part of the app's stacks, which other jobs share; not together with `stacks`. */
  readonly shard?: Shard | undefined;
  /** Values of variables by name, in JSON types. They take precedence over files and `env`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Variables files in Terraform's syntax or JSON; the last value of a variable wins. */
  readonly variableFiles?: readonly string[] | undefined;
  /** Once aborted, nothing more is started; running requests are completed and saved. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Once aborted, running requests are abandoned as well. Their outcome is unknown: the journal keeps them,
   * and the next run looks it up on the service.
   */
  readonly abandon?: AbortSignal | undefined;
}

/** The environment of a run, from its options. */
export const environmentOf = ({ folder = ".", env = {}, signal, abandon }: EngineOptions) => ({
  folder: path.resolve(folder),
  env,
  stop: signal satisfies Signals["stop"],
  abort: abandon satisfies Signals["abort"],
});

/** The options of a run over stacks. */
export function stacksOptions(options: EngineOptions, onEvent: (event: StacksEvent) => void): StacksOptions {
  const { targets = [], excludes = [], containers = [], stacks = [], shard } = options;
  if (containers.length > 0 && targets.length + excludes.length > 0)
    conflictingOptions("containers", targets.length > 0 ? "targets" : "excludes");
  if (targets.length > 0 && excludes.length > 0) conflictingOptions("targets", "excludes");
  if (stacks.length > 0 && shard !== undefined) conflictingOptions("stacks", "shard");
  return {
    ...options,
    ...environmentOf(options),
    providers: Object.fromEntries(options.providers.map((provider) => [provider.schema.source, provider])),
    variables: variablesOf(options),
    onEvent,
  };
}

const variablesOf = ({ variables = {}, variableFiles = [] }: EngineOptions): GivenVariable[] => [
  ...variableFiles.map((file) => ({ from: "file", file }) as const),
  ...Object.entries(variables).map(([name, value]) => ({ from: "value", name, value }) as const),
];

const conflictingOptions = (one: string, other: string): never =>
  fail({
    code: "invalid_arguments",
    summary: "Conflicting options",
    detail: `\`${one}\` and \`${other}\` can't be combined. Omit one of them.`,
  });
