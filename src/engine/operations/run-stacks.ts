import { SensitiveTexts } from "../../text";
import type { RunContext } from "../run/context";
import { redactEvent, redactRequest } from "../run/redaction";
import type { Environment, Signals } from "../source/environment";
import type { LoadedStacks, Stack } from "../source/load-stacks";
import { refuseWithoutOthers } from "../source/stack-order";
import { stacksOfApp } from "../source/stacks-of-app";
import { backendOf } from "../source/state-file";
import { type GivenVariable, readVariableFiles, variablesFor } from "../source/variables";
import { withLock } from "../source/with-lock";
import type { AppStacks } from "../stacks/app-stacks";
import type { StacksEvent } from "./events";
import { OpenStack } from "./open-stack";

/** How one stack's part of a run ended; `found` where there was something to tell, such as changes or drift. */
export type Outcome = "failed" | "found" | "nothing";

/** What a run over stacks works with. */
export interface StacksOptions extends Environment, Signals, Pick<RunContext, "providers"> {
  /** How many requests may be under way at once; adaptive without it. */
  readonly parallelism?: number | undefined;
  /** A file that keeps the state, in the place of what the configuration says. */
  readonly state?: string | undefined;
  readonly variables: readonly GivenVariable[];
  /** Addresses; only they and what they depend on are worked on. */
  readonly targets: readonly string[];
  /** False takes the objects as the state has them, without a look at the service. */
  readonly refresh: boolean;
  /** Begin nothing more after the first failure. */
  readonly failFast: boolean;
  /** How long to wait for a state that another run holds, in milliseconds. */
  readonly lockTimeout: number;
  /** Called at once and in order. It must not throw: a run goes on whatever is told of it. */
  readonly onEvent: (event: StacksEvent) => void;
  /** Told of exceptions that became a diagnostic, for logs. */
  readonly onFault?: ((problem: unknown) => void) | undefined;
}

/** What a run does with each stack. */
export interface StacksWork {
  /** What the state is locked for; nothing where it is only read. */
  readonly locksFor: string | undefined;
  /** Stacks that others depend on come last. */
  readonly reversed?: boolean;
  /** What a stack declares is compared with the other stacks of the app, and none with an open move is worked on. */
  readonly compares?: boolean;
  /** A stack is skipped when one that has to come before it failed. */
  readonly waits?: boolean;
  /** Takes some of the stacks; without it all are worked on. */
  readonly choose?: ((stacks: readonly Stack[]) => readonly Stack[]) | undefined;
  /** Looks at all stacks before the first is worked on, without a lock. What it throws ends the run. */
  readonly prepare?: ((stacks: readonly OpenStack[]) => Promise<void>) | undefined;
  /** Works on one stack, under its lock. What it throws fails this stack alone. */
  readonly work: (stack: OpenStack) => Promise<Outcome>;
  /** Told why a stack failed. */
  readonly onFailure: (problem: unknown, stack: string | undefined) => Promise<void>;
  /** Does what is to be done once all stacks were worked on. */
  readonly complete?: (() => Promise<void>) | undefined;
}

/** Works on stacks one after the other. One that fails keeps the others from nothing. Answers with the worst outcome. */
export async function runStacks(
  loaded: LoadedStacks,
  options: StacksOptions,
  work: StacksWork,
): Promise<Outcome> {
  const { warnings } = loaded;
  if (warnings.length > 0) options.onEvent({ kind: "diagnostics", diagnostics: warnings });
  readVariableFiles(options.variables, options.folder);
  return new StacksRun(loaded, options, work).all();
}

class StacksRun {
  readonly #options: StacksOptions;
  readonly #work: StacksWork;
  readonly #all: readonly Stack[];
  readonly #stacks: readonly Stack[];
  readonly #app: AppStacks | undefined;
  readonly #failed = new Set<Stack>();

  constructor(loaded: LoadedStacks, options: StacksOptions, work: StacksWork) {
    const { stacks } = loaded;
    this.#options = options;
    this.#work = work;
    this.#all = stacks;
    const chosen = work.choose?.(stacks) ?? stacks;
    this.#stacks = work.reversed ? [...chosen].reverse() : chosen;
    this.#app = work.compares ? stacksOfApp(loaded, options) : undefined;
  }

  async all(): Promise<Outcome> {
    const { onEvent, failFast, stop } = this.#options;
    let found = false;
    await this.#work.prepare?.(this.#stacks.map((stack) => this.#open(stack)));
    for (const stack of this.#stacks) {
      onEvent({ kind: "stack", name: stack.name, count: this.#stacks.length });
      const outcome = await this.#one(stack);
      if (outcome === "failed") this.#failed.add(stack);
      if (outcome === "found") found = true;
      if (stop?.aborted || (failFast && outcome === "failed")) break;
    }
    if (!stop?.aborted) await this.#work.complete?.();
    if (this.#failed.size > 0 || stop?.aborted) return "failed";
    return found ? "found" : "nothing";
  }

  async #one(stack: Stack): Promise<Outcome> {
    let open: OpenStack | undefined;
    try {
      if (stack.name !== undefined) await this.#app?.requireNoOpenMove(stack.name);
      if (this.#work.waits) refuseWithoutOthers(stack, this.#failed, this.#work.reversed === true);
      const opened = this.#open(stack);
      open = opened;
      return await this.#locked(opened, () => this.#work.work(opened));
    } catch (problem) {
      await this.#work.onFailure(problem, stack.name);
      return "failed";
    } finally {
      await open?.end();
    }
  }

  #open(stack: Stack): OpenStack {
    const { state, onEvent } = this.#options;
    const { name } = stack;
    return new OpenStack({
      name,
      ofApp: this.#app !== undefined && name !== undefined ? { name, app: this.#app } : undefined,
      context: this.#context(stack),
      backend: () => backendOf(stack, state, this.#options),
      onEvent,
    });
  }

  #context({ configuration }: Stack): RunContext {
    const { providers, parallelism, targets, refresh, failFast, variables, stop, abort } = this.#options;
    const { onEvent, onFault, env } = this.#options;
    const all = this.#all.map((stack) => stack.configuration);
    onEvent({ kind: "log", level: "info", message: `configuration ${configuration.folder}` });
    const sensitive = new SensitiveTexts();
    return {
      configuration,
      variables: variablesFor(configuration, all, variables, this.#options),
      providers,
      env,
      ...(parallelism !== undefined && { parallelism }),
      ...(targets.length > 0 && { targets }),
      refresh,
      failFast,
      ...(stop && { stop }),
      ...(abort && { abort }),
      sensitive,
      onEvent: (event) => onEvent(redactEvent(event, sensitive)),
      onRequest: (request) => onEvent({ kind: "request", request: redactRequest(request, sensitive) }),
      ...(onFault && { onFault }),
    };
  }

  #locked(stack: OpenStack, work: () => Promise<Outcome>): Promise<Outcome> {
    const { locksFor } = this.#work;
    const { lockTimeout, stop, onEvent } = this.#options;
    if (locksFor === undefined) return work();
    const request = { operation: locksFor, timeoutMs: lockTimeout, ...(stop && { signal: stop }) };
    return withLock(stack.backend, request, (text) => onEvent({ kind: "notice", text }), work);
  }
}
