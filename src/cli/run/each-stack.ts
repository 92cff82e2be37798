import { type AppStacks, type RunContext, type StackOfApp, shownEvent, shownRequest } from "../../engine";
import type { RequestEvent } from "../../framework";
import type { StateBackend } from "../../state";
import { SensitiveTexts } from "../../text";
import type { RunArguments } from "../arguments/stack-options";
import { Interruption } from "../stacks/interruption";
import { loadStacks, type Stack } from "../stacks/load-stacks";
import { ownProviders } from "../stacks/providers";
import { refuseWithoutOthers } from "../stacks/stack-order";
import { stacksOfApp } from "../stacks/stacks-of-app";
import { backendOf } from "../stacks/state-file";
import { readVariableFiles, variablesFor } from "../stacks/variables";
import { Waits } from "../stacks/waits";
import { withLock } from "../stacks/with-lock";
import { createLog, type Log, logRequest } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { createRunView } from "../views/create-run-view";
import { diagnosticsOf } from "../views/failure";
import type { RunView } from "../views/run-view";
import { withObservers } from "../views/with-observers";
import { Handlers } from "./handlers";

/** What a command needs to work on one stack. */
export interface OpenStack {
  readonly name: string | undefined;
  readonly context: RunContext;
  readonly backend: StateBackend;
  readonly view: RunView;
  /** The app that it is a part of, where its plan is held against the other stacks. */
  readonly ofApp?: StackOfApp;
}

/** How one stack's part of a command ended; `found` where there was something to tell, such as changes or drift. */
export type Outcome = "failed" | "found" | "nothing";

export interface Manner {
  /** What the state is locked for; nothing where it is only read. */
  readonly locksFor: string | undefined;
  /** Stacks that others depend on come last. */
  readonly reversed: boolean;
  /** What a stack declares is compared with the other stacks of the app, and none with an open move is worked on. */
  readonly compares?: boolean;
  /** A stack is passed over when one that had to come before it failed. */
  readonly waits: boolean;
  /** Watch the run beside its view, such as a report. */
  readonly observers?: readonly RunView[];
  /** What is left to tell once all stacks were worked on. */
  readonly after?: (view: RunView) => Outcome;
  /** Takes some of the stacks; without it all are worked on. */
  readonly choose?: (stacks: readonly Stack[]) => readonly Stack[];
  /** Looks at all stacks before the first is worked on, without a lock. What it throws ends the run. */
  readonly prepare?: (stacks: readonly OpenStack[]) => Promise<void>;
  /** Does what is to be done once all stacks were worked on. */
  readonly complete?: (view: RunView) => Promise<void>;
}

/**
 * Works on the chosen stacks one after the other: loads them, takes the lock, brings provider, variables, signals and
 * the view. A stack that fails is told, and the others go on. Answers with the worst that came out.
 */
export async function eachStack(
  args: RunArguments,
  terminal: Terminal,
  manner: Manner,
  work: (stack: OpenStack) => Promise<Outcome>,
): Promise<Outcome> {
  const log = createLog(terminal);
  const view = withObservers(createRunView(args, terminal), manner.observers ?? []);
  const { stacks, unselected, warnings } = await loadStacks(args, terminal, log);
  view.diagnostics(warnings);
  readVariableFiles(args.variables, terminal.folder);
  const interruption = new Interruption(terminal, (text) => view.notice(text));
  const app = manner.compares ? stacksOfApp(stacks, unselected, args, terminal) : undefined;
  const run = new StacksRun(args, terminal, manner, stacks, { log, view, interruption, app });
  try {
    const outcome = await run.all(work);
    return worse(outcome, manner.after?.(view) ?? "nothing");
  } finally {
    interruption.close();
    await view.end();
  }
}

const worse = (one: Outcome, other: Outcome): Outcome =>
  (["failed", "found", "nothing"] as const).find((outcome) => outcome === one || outcome === other)!;

/** What goes through a whole run, whatever the stack. */
interface Surroundings {
  readonly log: Log;
  readonly view: RunView;
  readonly interruption: Interruption;
  readonly app: AppStacks | undefined;
}

class StacksRun {
  readonly #args: RunArguments;
  readonly #terminal: Terminal;
  readonly #manner: Manner;
  readonly #all: readonly Stack[];
  readonly #stacks: readonly Stack[];
  readonly #surroundings: Surroundings;
  readonly #handlers: Handlers;
  readonly #waits = new Waits();
  readonly #failed = new Set<Stack>();

  constructor(
    args: RunArguments,
    terminal: Terminal,
    manner: Manner,
    stacks: readonly Stack[],
    surroundings: Surroundings,
  ) {
    this.#args = args;
    this.#terminal = terminal;
    this.#manner = manner;
    this.#all = stacks;
    const chosen = manner.choose?.(stacks) ?? stacks;
    this.#stacks = manner.reversed ? [...chosen].reverse() : chosen;
    this.#surroundings = surroundings;
    this.#handlers = new Handlers(surroundings.log, terminal, args);
  }

  async all(work: (stack: OpenStack) => Promise<Outcome>): Promise<Outcome> {
    const { view, interruption } = this.#surroundings;
    let found = false;
    await this.#manner.prepare?.(this.#stacks.map((stack) => this.#open(stack)));
    for (const stack of this.#stacks) {
      view.stack(stack.name, this.#stacks.length);
      const outcome = await this.#one(stack, work);
      if (outcome === "failed") this.#failed.add(stack);
      if (outcome === "found") found = true;
      if (interruption.stop.aborted || (this.#args.failFast && outcome === "failed")) break;
    }
    if (!interruption.stop.aborted) await this.#manner.complete?.(view);
    if (this.#failed.size > 0 || interruption.stop.aborted) return "failed";
    return found ? "found" : "nothing";
  }

  async #one(stack: Stack, work: (stack: OpenStack) => Promise<Outcome>): Promise<Outcome> {
    const { view, app } = this.#surroundings;
    let open: OpenStack | undefined;
    try {
      if (stack.name !== undefined) await app?.refuseOpenMoves(stack.name);
      if (this.#manner.waits) refuseWithoutOthers(stack, this.#failed, this.#manner.reversed);
      const opened = this.#open(stack);
      open = opened;
      return await this.#locked(opened.backend, () => work(opened));
    } catch (problem) {
      await view.settle();
      view.diagnostics(diagnosticsOf(problem, this.#terminal));
      return "failed";
    } finally {
      await open?.ofApp?.app.changed(open.ofApp.name, open.backend.version);
    }
  }

  #open(stack: Stack): OpenStack {
    const { app } = this.#surroundings;
    const { name } = stack;
    return {
      name,
      ...(app !== undefined && name !== undefined && { ofApp: { name, app } }),
      context: this.#context(stack),
      backend: backendOf(stack, this.#args.state, this.#terminal),
      view: this.#surroundings.view,
    };
  }

  #context({ configuration }: Stack): RunContext {
    const { log, view, interruption } = this.#surroundings;
    const { parallelism, targets, refresh, failFast, variables } = this.#args;
    const all = this.#all.map((stack) => stack.configuration);
    log.write("info", `configuration ${configuration.folder}`);
    const sensitive = new SensitiveTexts();
    return {
      configuration,
      variables: variablesFor(configuration, all, variables, this.#terminal),
      providers: ownProviders(this.#terminal),
      ...(parallelism !== undefined && { parallelism }),
      ...(targets.length > 0 && { targets }),
      refresh,
      failFast,
      stop: interruption.stop,
      abort: interruption.abort,
      sensitive,
      onEvent: this.#handlers.guard((event) => view.event(shownEvent(event, sensitive))),
      onRequest: this.#handlers.guard((event) => this.#request(shownRequest(event, sensitive))),
      onFault: this.#handlers.logFault,
    };
  }

  #request(event: RequestEvent): void {
    const { log, view } = this.#surroundings;
    logRequest(log, event);
    if (event.kind === "sent") view.requested();
    const wait = this.#waits.worthTelling(event);
    if (wait !== undefined) view.waiting(wait);
  }

  #locked(backend: StateBackend, work: () => Promise<Outcome>): Promise<Outcome> {
    const { view, interruption } = this.#surroundings;
    if (this.#manner.locksFor === undefined) return work();
    const request = {
      operation: this.#manner.locksFor,
      timeoutMs: this.#args.lockTimeout,
      signal: interruption.stop,
    };
    return withLock(backend, request, (text) => view.notice(text), work);
  }
}
