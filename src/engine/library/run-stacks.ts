import { fail } from "../../diagnostics";
import type { Configuration } from "../../language";
import { once } from "../../schema";
import { SensitiveTexts } from "../../text";
import { redactEvent, redactRequest } from "../results/redaction";
import { ifValid, type LoadedStacks, type Stack } from "../source/load-stacks";
import { relativeStates } from "../source/relative-states";
import { requireSeparateStates } from "../source/separate-states";
import {
  backendOf,
  backendOfUnselected,
  requireNoDefaultState,
  requireNoStateInFile,
  withLock,
} from "../source/state-file";
import { stateOfStack, statesOf } from "../source/states-of-stacks";
import { type GivenVariable, readVariableFiles, variablesFor } from "../source/variables";
import type { Environment, KnownRights, RestrictedRun, RunContext, Signals } from "../stack-run/context";
import { type AppStack, AppStacks } from "../stacks/app-stacks";
import { OpenStack } from "./open-stack";
import type { StacksEvent } from "./run";

/** Fails if a stack that must come before this stack has failed. This stack then counts as skipped. */
function requireDependencies(stack: Stack, failed: Iterable<Stack>, reversed: boolean): void {
  const isDependent = (one: Stack, other: Stack) => one.dependencies.includes(other.constructPath ?? "");
  const missing = [...failed].find((other) =>
    reversed ? isDependent(other, stack) : isDependent(stack, other),
  );
  if (missing === undefined) return;
  // A skipped stack counts as failed, so its dependents are skipped too.
  fail({
    code: "dependency_failed",
    summary: "Stack skipped",
    detail: `The stack "${stack.name}" was skipped because ${reversed ? `the stack "${missing.name}" depends on it and failed` : `it depends on the stack "${missing.name}", which failed`}. Fix the errors of "${missing.name}", then run the command again.`,
  });
}

interface Options extends Environment, Pick<RunContext, "providers"> {
  readonly state?: string | undefined;
  readonly variables: readonly GivenVariable[];
}

/** Returns the inputs that all runs over a stack need. */
export const contextOf = (
  configuration: Configuration,
  loaded: LoadedStacks,
  { providers, variables }: Pick<Options, "providers" | "variables">,
  environment: Environment,
): RunContext => ({
  configuration,
  variables: variablesFor(
    {
      own: configuration.variables,
      isSelected: (name) => loaded.stacks.some((stack) => stack.configuration.variables.has(name)),
      unselected: loaded.unselected,
      folders: loaded.variableFolders(configuration),
    },
    variables,
    environment,
  ),
  providers,
  env: environment.env,
  localStates: () => relativeStates(loaded),
});

/** Returns the addresses of the declared resources and data sources. */
const addressesIn = ({ configuration }: Pick<Stack, "configuration">): Iterable<string> =>
  configuration.resources.keys();

/** Returns the stacks of an app for comparison; undefined if the app has only one stack. */
function stacksOfApp(loaded: LoadedStacks, options: Options): AppStacks | undefined {
  const { stacks, unselected } = loaded;
  if (stacks.length + unselected.length < 2) return undefined;
  const { state } = options;
  const of = (name: string, isSelected: boolean, load: () => Configuration): AppStack => ({
    name,
    isSelected,
    context: () => contextOf(load(), loaded, options, options),
    backend: () =>
      isSelected
        ? backendOf(stateOfStack({ name, configuration: load() }), state, options)
        : backendOfUnselected(stateOfStack({ name, configuration: load() }), options),
  });
  return new AppStacks([
    ...stacks.map(({ name, configuration }) => of(name!, true, () => configuration)),
    ...unselected.map(({ name, load }) => of(name, false, load)),
  ]);
}

/** The outcome of one stack. `found` means that there is something to report, such as changes or drift. */
export type StackOutcome = "failed" | "found" | "nothing";

/** The options that restrict a run over stacks, and the options for the states of these stacks. */
export interface StateRun extends RestrictedRun {
  /** A state file to use instead of the configured backend. */
  readonly state?: string | undefined;
  /** How long, in milliseconds, a run waits for a locked state. Default: 0. */
  readonly lockTimeout?: number | undefined;
  /** The place of the run, such as a job. The lock contains this text, for people who find the lock. */
  readonly lockInfo?: string | undefined;
}

/** The options of a run over stacks. */
export interface StacksOptions
  extends Environment,
    Signals,
    StateRun,
    Pick<RunContext, "providers" | "announcesReads" | "onFault"> {
  readonly variables: readonly GivenVariable[];
  /** Receives the events synchronously and in order. The function must not throw. */
  readonly onEvent: (event: StacksEvent) => void;
}

/** The work of a run on its stacks. */
export interface StacksWork {
  /** The name of the operation in the lock of each state. Undefined if the states are only read. */
  readonly locksFor: string | undefined;
  /** Whether dependents come before their dependencies, as in a destroy. */
  readonly reversed?: boolean;
  /** Whether to compare declarations with the other stacks of the app, and to reject stacks with an unfinished move. */
  readonly compares?: boolean;
  /** Whether to skip a stack if a stack that must come before this stack has failed. */
  readonly waits?: boolean;
  /** Selects some of the stacks. By default, all stacks are processed. */
  readonly choose?: ((stacks: readonly Stack[]) => readonly Stack[]) | undefined;
  /** Is called with all stacks before the first stack is processed, without a lock. An exception ends the run. */
  readonly prepare?: ((stacks: readonly OpenStack[]) => Promise<void>) | undefined;
  /** Processes one stack while its lock is held. An exception fails only this stack. */
  readonly work: (stack: OpenStack) => Promise<StackOutcome>;
  /** Receives the reason why a stack failed. */
  readonly onFailure: (problem: unknown, stack: string | undefined) => Promise<void>;
  /** Is called after all stacks were processed. */
  readonly complete?: (() => Promise<void>) | undefined;
}

/**
 * Processes stacks one after the other. If a stack fails, the other stacks are still processed.
 *
 * @returns the worst outcome
 */
export async function runStacks(
  loaded: LoadedStacks,
  options: StacksOptions,
  work: StacksWork,
): Promise<StackOutcome> {
  const { warnings } = loaded;
  if (warnings.length > 0) options.onEvent({ kind: "diagnostics", diagnostics: warnings });
  readVariableFiles(options.variables, options.folder);
  return new StacksRun(loaded, options, work).all();
}

class StacksRun {
  readonly #stacks: readonly Stack[];
  readonly #app: AppStacks | undefined;
  readonly #failed = new Set<Stack>();
  readonly #rightsKnown = new Map<Stack, KnownRights>();

  constructor(
    private readonly loaded: LoadedStacks,
    private readonly options: StacksOptions,
    private readonly work: StacksWork,
  ) {
    const { stacks } = loaded;
    const chosen = work.choose?.(stacks) ?? stacks;
    this.#stacks = work.reversed ? [...chosen].reverse() : chosen;
    // A run of a shard compares too, because another shard can declare an object that this shard does not declare.
    this.#app = work.compares || loaded.shard ? stacksOfApp(loaded, options) : undefined;
  }

  async all(): Promise<StackOutcome> {
    const { onEvent, failFast, stop } = this.options;
    let hasFound = false;
    await this.#requireSeparateStates();
    await this.work.prepare?.(this.#stacks.map((stack) => this.#open(stack)));
    for (const stack of this.#stacks) {
      onEvent({ kind: "stack", name: stack.name, count: this.#stacks.length });
      const outcome = await this.#runStack(stack);
      if (outcome === "failed") this.#failed.add(stack);
      if (outcome === "found") hasFound = true;
      if (stop?.aborted || (failFast && outcome === "failed")) break;
    }
    if (!stop?.aborted) await this.work.complete?.();
    if (this.#failed.size > 0 || stop?.aborted) return "failed";
    return hasFound ? "found" : "nothing";
  }

  /**
   * Fails if two states have the same file or URL. If the run writes or compares states, the check includes the states of
   * unselected stacks.
   */
  async #requireSeparateStates(): Promise<void> {
    const { locksFor, compares = false } = this.work;
    const isSelectedEnough = locksFor === undefined && !compares;
    const loaded = isSelectedEnough ? { ...this.loaded, unselected: [] } : this.loaded;
    await requireSeparateStates(statesOf(loaded, this.options, this.options.state));
  }

  async #runStack(stack: Stack): Promise<StackOutcome> {
    let open: OpenStack | undefined;
    try {
      if (this.work.compares && stack.name !== undefined) await this.#app?.requireNoOpenMove(stack.name);
      if (this.work.waits) requireDependencies(stack, this.#failed, this.work.reversed === true);
      const opened = this.#open(stack);
      open = opened;
      if (this.work.locksFor !== undefined && this.options.state === undefined)
        // This check comes before the lock, because a lock would create the folder of the workspace.
        await requireNoDefaultState(stateOfStack(stack), addressesIn(stack), this.options);
      return await this.#locked(opened, () => this.work.work(opened));
    } catch (problem) {
      await this.work.onFailure(problem, stack.name);
      return "failed";
    } finally {
      await open?.close();
    }
  }

  #open(stack: Stack): OpenStack {
    const { state, onEvent } = this.options;
    const { name } = stack;
    return new OpenStack({
      name,
      ofApp: this.#app !== undefined && name !== undefined ? { name, app: this.#app } : undefined,
      context: this.#context(stack),
      backend: () => backendOf(stateOfStack(stack), state, this.options),
      requireNoOtherState: () =>
        requireNoStateInFile(stateOfStack(stack), addressesIn(stack), state, this.options),
      rightsKnown: once(this.#rightsKnown, stack, () => new Map()),
      onEvent,
    });
  }

  #context({ configuration, share }: Stack): RunContext {
    const { targets, excludes, containers, refresh, failFast, parallelism } = this.options;
    const { stop, abort, onEvent, announcesReads, onFault } = this.options;
    onEvent({ kind: "log", level: "info", message: `configuration ${configuration.folder}` });
    const sensitive = new SensitiveTexts();
    return {
      ...contextOf(configuration, this.loaded, this.options, this.options),
      targets: some(targets),
      excludes: some(excludes),
      containers: some(containers),
      share,
      refresh,
      failFast,
      parallelism,
      stop,
      abort,
      announcesReads,
      sensitive,
      onFault,
      isOneOfSeveral: share !== undefined || this.loaded.stacks.length + this.loaded.unselected.length > 1,
      isDeclaredElsewhere: (resource) => isDeclared(this.loaded, resource),
      onEvent: (event) => onEvent(redactEvent(event, sensitive)),
      onRequest: (request) => onEvent({ kind: "request", request: redactRequest(request, sensitive) }),
    };
  }

  #locked(stack: OpenStack, work: () => Promise<StackOutcome>): Promise<StackOutcome> {
    const { locksFor } = this.work;
    const { lockTimeout: timeoutMs = 0, stop: signal, lockInfo: info, onEvent } = this.options;
    if (locksFor === undefined) return work();
    const onNotice = (text: string) => onEvent({ kind: "notice", text });
    return withLock(stack.backend, { operation: locksFor, info, timeoutMs, signal, onNotice }, work);
  }
}

const some = <T>(list: readonly T[] = []) => (list.length > 0 ? list : undefined);

/** Returns whether a stack of this command declares a resource. With shards, also searches the stacks of other shards. */
const isDeclared = ({ stacks, unselected, shard }: LoadedStacks, resource: string): boolean =>
  stacks.some(({ configuration }) => configuration.resources.has(resource)) ||
  (shard !== undefined && unselected.some(({ load }) => ifValid(load)?.resources.has(resource)));
