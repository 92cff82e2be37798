import path from "node:path";
import { type Diagnostic, DiagnosticError, fail, hasErrors, mergeDiagnostics } from "../../diagnostics";
import type { Provider } from "../../framework";
import { loadStacks, type StackSource } from "../source/load-stacks";
import type { Shard } from "../source/shards";
import type { GivenVariable } from "../source/variables";
import type { Signals } from "../stack-run/context";
import { internalError } from "../stack-run/stack-run";
import type { OpenStack } from "./open-stack";
import { type Run, type StacksEvent, startRun } from "./run";
import {
  runStacks,
  type StackOutcome,
  type StacksOptions,
  type StacksWork,
  type StateRun,
} from "./run-stacks";

/**
 * An event of an operation, with the name of the stack to which it belongs. The name is undefined before the first stack, and
 * for a configuration without an app.
 */
export type RunEvent = StacksEvent & { readonly stack: string | undefined };

/** The result of an operation in one stack. */
export interface StackResult {
  /** The name of the stack; undefined for a configuration without an app. */
  readonly stack: string | undefined;
  /** Whether the operation ended without an error in this stack. */
  readonly succeeded: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of an operation. */
export interface RunResult<Stack extends StackResult> {
  /** Whether every stack succeeded. */
  readonly succeeded: boolean;
  /** The processed stacks, in the order of their dependencies. Empty if the stacks could not be loaded. */
  readonly stacks: readonly Stack[];
  /** All diagnostics: diagnostics before the first stack, and diagnostics of all stacks. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of the work on one stack. */
export interface StackWorkResult<Details> {
  readonly outcome: StackOutcome;
  readonly diagnostics: readonly Diagnostic[];
  readonly details: Details;
}

/** An operation on stacks: the work on each stack, and options of the run over the stacks. */
interface Operation<Details>
  extends Pick<StacksWork, "locksFor" | "reversed" | "compares" | "waits" | "choose"> {
  readonly work: (stack: OpenStack) => Promise<StackWorkResult<Details>>;
  /** The details for a stack that failed before it had a result. */
  readonly empty: Details;
}

/** Starts an operation on stacks, and collects the results of the stacks. */
export const overStacks = <Details extends object>(
  source: StackSource,
  options: EngineOptions,
  operation: Operation<Details>,
): Run<RunEvent, RunResult<StackResult & Details>> =>
  startRun((emit) => new Collector<Details>(emit).run(source, options, operation));

class Collector<Details extends object> {
  readonly #stacks: (StackResult & Details)[] = [];
  /** The diagnostics that were reported before the first stack. */
  readonly #before: Diagnostic[] = [];
  #stack: { readonly name: string | undefined; readonly reported: Diagnostic[] } | undefined;

  constructor(private readonly emit: (event: RunEvent) => void) {}

  async run(
    source: StackSource,
    options: EngineOptions,
    { work, empty, ...stacksWork }: Operation<Details>,
  ): Promise<RunResult<StackResult & Details>> {
    const onEvent = (event: StacksEvent) => this.#forward(event);
    try {
      const loaded = await loadStacks(source, options.shard ?? options.stacks ?? [], {
        ...environmentOf(options),
        onEvent,
      });
      const outcome = await runStacks(loaded, stacksOptions(options, onEvent), {
        ...stacksWork,
        work: async (stack) => {
          const { outcome: end, diagnostics, details } = await work(stack);
          this.#end(end, diagnostics, details);
          return end;
        },
        onFailure: async (problem) => this.#end("failed", diagnosticsOf(problem), empty),
      });
      return this.#result(outcome !== "failed");
    } catch (problem) {
      const diagnostics = diagnosticsOf(problem);
      this.#before.push(...diagnostics);
      this.emit({ kind: "diagnostics", diagnostics, stack: undefined });
      return this.#result(false);
    }
  }

  #forward(event: StacksEvent): void {
    if (event.kind === "stack") this.#stack = { name: event.name, reported: [] };
    if (event.kind === "diagnostics") (this.#stack?.reported ?? this.#before).push(...event.diagnostics);
    this.emit({ ...event, stack: this.#stack?.name });
  }

  #end(outcome: StackOutcome, found: readonly Diagnostic[], details: Details): void {
    const { name, reported } = this.#stack!;
    const diagnostics = mergeDiagnostics(reported, found);
    const succeeded = outcome !== "failed" && !hasErrors(diagnostics);
    this.#stacks.push({ ...details, stack: name, succeeded, diagnostics });
    if (found.length > 0) this.emit({ kind: "diagnostics", diagnostics: found, stack: name });
  }

  #result(succeeded: boolean): RunResult<StackResult & Details> {
    const stacks = this.#stacks;
    const diagnostics = [...this.#before, ...stacks.flatMap((stack) => stack.diagnostics)];
    return { succeeded: succeeded && stacks.every((stack) => stack.succeeded), stacks, diagnostics };
  }
}

/** Returns the diagnostics of an exception. */
const diagnosticsOf = (problem: unknown): readonly Diagnostic[] =>
  problem instanceof DiagnosticError ? problem.diagnostics : [internalError(problem)];

/** The options of all operations. From the process, the engine reads only the working folder, and only if `folder` is omitted. */
export interface EngineOptions extends StateRun {
  /** The providers that configurations may use, such as `createProvider()` of `cdktf-provider-steward/provider`. */
  readonly providers: readonly Provider[];
  /** The folder in which relative paths start. Default: the working folder of the process. */
  readonly folder?: string | undefined;
  /**
   * Environment variables for the app, the backend (`TF_HTTP_…`) and providers (such as a token), and `TF_VAR_…` values. Default:
   * empty. Pass `process.env` to use the variables of your process.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The names of the stacks to process. By default, all stacks are processed. */
  readonly stacks?: readonly string[] | undefined;
  /**
   * A part of the app's stacks, such as `{ number: 1, total: 4 }`. Parallel jobs process the other shards. `shard` can't be
   * combined with `stacks`.
   */
  readonly shard?: Shard | undefined;
  /** Values of variables by name, in JSON types. These values take precedence over files and `env`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Variables files in Terraform's syntax or JSON; the last value of a variable wins. */
  readonly variableFiles?: readonly string[] | undefined;
  /**
   * Once this signal is aborted, the operation starts no further work; running requests are completed, and their results are
   * saved.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Once this signal is aborted, running requests are also abandoned. The outcome of abandoned requests is unknown. The
   * journal records these requests, so the next run finds out their outcome on the service.
   */
  readonly abandon?: AbortSignal | undefined;
}

/** Returns the environment of a run, from its options. */
export const environmentOf = ({ folder = ".", env = {}, signal, abandon }: EngineOptions) => ({
  folder: path.resolve(folder),
  env,
  stop: signal satisfies Signals["stop"],
  abort: abandon satisfies Signals["abort"],
});

/** Returns the options of a run over stacks. Fails if two options exclude each other. */
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
