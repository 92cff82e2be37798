import { type Diagnostic, DiagnosticError, hasErrors, mergeDiagnostics } from "../../diagnostics";
import { internalError } from "../run/stack-run";
import { loadStacks, type StackSource } from "../source/load-stacks";
import type { OpenStack } from "./open-stack";
import { type EngineOptions, environmentOf, stacksOptions } from "./options";
import { type Run, type StacksEvent, startRun } from "./run";
import { runStacks, type StackOutcome, type StacksWork } from "./run-stacks";

/** An event of an operation and its stack: undefined for a configuration, and before the first stack. */
export type RunEvent = StacksEvent & { readonly stack: string | undefined };

/** The result of an operation in one stack. */
export interface StackResult {
  /** The stack's name; undefined for a configuration without an app. */
  readonly stack: string | undefined;
  /** Whether it ended without an error. */
  readonly succeeded: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of an operation. */
export interface RunResult<Stack extends StackResult> {
  /** Whether every stack succeeded. */
  readonly succeeded: boolean;
  /** The processed stacks in the order of dependencies; empty if they could not be loaded. */
  readonly stacks: readonly Stack[];
  /** All diagnostics: those of the stacks, and those before the first stack. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of one stack's work. */
export interface StackWorkResult<Details> {
  readonly outcome: StackOutcome;
  readonly diagnostics: readonly Diagnostic[];
  readonly details: Details;
}

/** What an operation does with stacks. */
interface Operation<Details>
  extends Pick<StacksWork, "locksFor" | "reversed" | "compares" | "waits" | "choose"> {
  readonly work: (stack: OpenStack) => Promise<StackWorkResult<Details>>;
  /** The details of a stack that failed before it had a result. */
  readonly empty: Details;
}

/** Starts an operation over stacks and collects the result of each. */
export const overStacks = <Details extends object>(
  source: StackSource,
  options: EngineOptions,
  operation: Operation<Details>,
): Run<RunEvent, RunResult<StackResult & Details>> =>
  startRun((emit) => new Collector<Details>(emit).run(source, options, operation));

class Collector<Details extends object> {
  readonly #stacks: (StackResult & Details)[] = [];
  /** Diagnostics before the first stack. */
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

/** The diagnostics of an exception. */
const diagnosticsOf = (problem: unknown): readonly Diagnostic[] =>
  problem instanceof DiagnosticError ? problem.diagnostics : [internalError(problem)];
