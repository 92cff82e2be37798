import { type Diagnostic, DiagnosticError, hasErrors, mergeDiagnostics } from "../../diagnostics";
import { internalError } from "../run/internal-error";
import { loadStacks, type StackSource } from "../source/load-stacks";
import type { StacksEvent } from "./events";
import type { OpenStack } from "./open-stack";
import { type EngineOptions, environmentOf, stacksOptions } from "./options";
import { type Run, startRun } from "./run";
import { type Outcome, runStacks, type StacksWork } from "./run-stacks";

/** What happens during an operation, and in which stack: none for a configuration, and before the first stack. */
export type RunEvent = StacksEvent & { readonly stack: string | undefined };

/** What an operation came to in one stack. */
export interface StackResult {
  /** The stack's name; nothing for a configuration that is no stack of an app. */
  readonly stack: string | undefined;
  /** Whether it ended without an error. */
  readonly succeeded: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** What an operation came to. */
export interface RunResult<Stack extends StackResult> {
  /** Whether every stack succeeded. */
  readonly succeeded: boolean;
  /** The stacks that were worked on, in the order of their dependencies; none where they could not be loaded. */
  readonly stacks: readonly Stack[];
  /** All diagnostics: those of the stacks, and what went wrong before the first of them. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What one stack's part of an operation found. */
export interface Found<Details> {
  readonly outcome: Outcome;
  readonly diagnostics: readonly Diagnostic[];
  readonly details: Details;
}

/** How an operation works on stacks. */
interface Part<Details> extends Pick<StacksWork, "locksFor" | "reversed" | "compares" | "waits" | "choose"> {
  readonly work: (stack: OpenStack) => Promise<Found<Details>>;
  /** What a stack has that failed before anything was found. */
  readonly empty: Details;
}

/** Begins an operation over stacks, and collects what it comes to in each. */
export const overStacks = <Details extends object>(
  source: StackSource,
  options: EngineOptions,
  part: Part<Details>,
): Run<RunEvent, RunResult<StackResult & Details>> =>
  startRun((emit) => new Collector<Details>(emit).run(source, options, part));

class Collector<Details extends object> {
  readonly #emit: (event: RunEvent) => void;
  readonly #stacks: (StackResult & Details)[] = [];
  /** Told before the first stack. */
  readonly #before: Diagnostic[] = [];
  #stack: { readonly name: string | undefined; readonly told: Diagnostic[] } | undefined;

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit;
  }

  async run(
    source: StackSource,
    options: EngineOptions,
    { work, empty, ...manner }: Part<Details>,
  ): Promise<RunResult<StackResult & Details>> {
    const onEvent = (event: StacksEvent) => this.#told(event);
    try {
      const loaded = await loadStacks(source, options.stacks ?? [], { ...environmentOf(options), onEvent });
      const outcome = await runStacks(loaded, stacksOptions(options, onEvent), {
        ...manner,
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
      this.#emit({ kind: "diagnostics", diagnostics, stack: undefined });
      return this.#result(false);
    }
  }

  #told(event: StacksEvent): void {
    if (event.kind === "stack") this.#stack = { name: event.name, told: [] };
    if (event.kind === "diagnostics") (this.#stack?.told ?? this.#before).push(...event.diagnostics);
    this.#emit({ ...event, stack: this.#stack?.name });
  }

  #end(outcome: Outcome, found: readonly Diagnostic[], details: Details): void {
    const { name, told } = this.#stack!;
    const diagnostics = mergeDiagnostics(told, found);
    const succeeded = outcome !== "failed" && !hasErrors(diagnostics);
    this.#stacks.push({ ...details, stack: name, succeeded, diagnostics });
    if (found.length > 0) this.#emit({ kind: "diagnostics", diagnostics: found, stack: name });
  }

  #result(succeeded: boolean): RunResult<StackResult & Details> {
    const stacks = this.#stacks;
    const diagnostics = [...this.#before, ...stacks.flatMap((stack) => stack.diagnostics)];
    return { succeeded: succeeded && stacks.every((stack) => stack.succeeded), stacks, diagnostics };
  }
}

/** What is told of something thrown. */
const diagnosticsOf = (problem: unknown): readonly Diagnostic[] =>
  problem instanceof DiagnosticError ? problem.diagnostics : [internalError(problem)];
