import path from "node:path";
import { warning } from "../../diagnostics";
import {
  type LoadedStacks,
  localStateFile,
  type OpenStack,
  type RequestEvent,
  runStacks,
  type Shard,
  type StackOutcome,
  type StacksEvent,
  type StacksWork,
  selectedWorkspace,
} from "../../engine";
import type { UsedWaiver } from "../../provider";
import type { RunArguments, ViewArguments } from "../arguments/shared-options";
import { companionsOfState, requireNotRead } from "../outputs/require-usable";
import type { Policies } from "../policy/policies";
import { interruptible } from "../terminal/interruption";
import { createLog, type Log, logRequest } from "../terminal/log";
import { pipelineJob } from "../terminal/pipeline-job";
import type { Terminal } from "../terminal/terminal";
import { createRunView } from "../views/create-run-view";
import { diagnosticsOf, reportDiagnostics } from "../views/diagnostics";
import type { AppShard, Renderer, RunView } from "../views/run-view";
import { Waits } from "../views/waits";
import { ChangesInProgress } from "./changes-in-progress";
import { lastLine } from "./last-line";
import { loadNamedStacks } from "./load-stacks";
import { ownProviders } from "./providers";

/**
 * Makes event handlers that never throw, because a failure to show an event must not interrupt an apply. Reports the first
 * failure, and logs all failures.
 */
export class Handlers {
  readonly log: Log;
  #isReported = false;

  constructor(
    private readonly terminal: Terminal,
    private readonly args: ViewArguments,
  ) {
    this.log = createLog(terminal);
  }

  /**
   * Returns the handler of request events. The handler logs the events, counts the sent requests in the view, and reports
   * pauses to the view.
   */
  requests(view: RunView): (event: RequestEvent) => void {
    const waits = new Waits();
    return (event) => {
      logRequest(this.log, event);
      if (event.type === "request") view.tell({ kind: "requested" });
      const wait = waits.toReport(event);
      if (wait !== undefined) view.tell({ kind: "waiting", wait });
    };
  }

  guard<E>(handle: (event: E) => void): (event: E) => void {
    return (event) => {
      try {
        handle(event);
      } catch (problem) {
        this.#report(problem);
      }
    };
  }

  /** Logs the stack trace of an exception. */
  readonly logFault = (problem: unknown): void => {
    const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
    for (const line of text.split("\n")) this.log.write("debug", `fault: ${line}`);
  };

  #report(problem: unknown): void {
    try {
      this.logFault(problem);
      if (this.#isReported) return;
      this.#isReported = true;
      const message = problem instanceof Error ? problem.message : String(problem);
      const failure = warning({
        code: "internal_error",
        summary: "Internal error",
        detail: `Steward could not show the run because of an unexpected problem: ${message}. Changes and the saved state are not affected. Please report it with the output of STEWARD_LOG=debug.`,
      });
      reportDiagnostics([failure], this.terminal, this.args);
    } catch {
      // The output itself is broken, so Steward can't report the failure. The run continues.
    }
  }
}

export interface EachStackOptions
  extends Pick<StacksWork, "reversed" | "compares" | "waits" | "choose">,
    Partial<Pick<StacksWork, "locksFor">> {
  /** Loads the stacks of the run. Without this function, the run loads the stacks that the command line selects. */
  readonly load?: () => Promise<LoadedStacks>;
  /**
   * Whether the run only reports a name of `--stack` that matches no stack, and continues with the other stacks. For commands
   * that only read.
   */
  readonly reportsUnknownStacks?: boolean;
  /** Whether the view shows equal changes of several stacks only once, at the end of the run. For commands that only read. */
  readonly isMerged?: boolean;
  /** The rules for the plans of the stacks. */
  readonly policies?: Policies;
  /** Returns the waivers with the findings that they accept. The default is the waivers of `policies`. */
  readonly waivers?: () => readonly UsedWaiver[];
  /** Receivers of the run's events in addition to the view, such as reports. */
  readonly observers?: readonly Renderer[];
  /** Reports results of the whole run, after the last stack. The returned outcome counts like the outcome of a stack. */
  readonly after?: (view: RunView) => StackOutcome;
  /** Checks all stacks before the work on the first stack begins. Runs without locks, and throws to end the run. */
  readonly prepare?: (stacks: readonly OpenStack[], view: RunView) => Promise<void>;
  /** Runs after the last stack, for example to write files about all stacks. */
  readonly complete?: (view: RunView) => Promise<void>;
}

/** The facts about a stack that this module needs, without the stack's declarations. */
interface StackFacts {
  readonly name: string | undefined;
  /** The folder of the stack's configuration. */
  readonly folder: string;
  /** The file of the stack's state; undefined for a state on a server. */
  readonly stateFile: string | undefined;
  /** Whether the shard has only some projects of the stack. */
  readonly isDivided: boolean;
  /** The comments (`//`) of the stack's files, in which the app notes its rules and waivers. */
  readonly comments: readonly unknown[];
}

/** Runs `work` for each selected stack. Shows the engine's events in the view, and writes these events to the log. */
export async function eachStack(
  args: RunArguments & { readonly summary?: boolean },
  terminal: Terminal,
  given: EachStackOptions,
  work: (stack: OpenStack, view: RunView) => Promise<StackOutcome>,
): Promise<StackOutcome> {
  const { folder, env } = terminal;
  const began = performance.now();
  const { observers = [], isMerged = false, policies, prepare, complete, reportsUnknownStacks } = given;
  const view = createRunView(args, terminal, { isMerged, observers });
  const loadAll = async () =>
    given.load?.() ??
    loadNamedStacks(args, terminal, { addedForApp: policies?.waivers.environment, reportsUnknownStacks });
  const loaded = await reported(observers, terminal, loadAll, true);
  const { shard, unselected, unknown = [] } = loaded;
  const stacks = loaded.stacks.map(
    ({ name, share, configuration: { folder: own, backend, comments } }): StackFacts => ({
      name,
      folder: own,
      stateFile: localStateFile({ backend, folder: own }, selectedWorkspace(own, env)),
      isDivided: share !== undefined,
      comments,
    }),
  );
  requireNotRead(terminal.outputs?.files ?? [], stacks.flatMap(filesOf), folder);
  if (shard !== undefined) view.tell({ kind: "shard", shard: shardOf(shard, stacks, unselected.length) });
  policies?.requireRulesOf(stacks);
  const handlers = new Handlers(terminal, args);
  const changes = new ChangesInProgress();
  const options = {
    variables: [],
    ...args,
    folder,
    env,
    lockInfo: pipelineJob(env),
    providers: ownProviders(terminal, args.maxRequestsPerMinute),
    // Only the JSON output has an event when a read begins. The output for people shows the progress instead.
    announcesReads: args.json,
    onEvent: handlers.guard(eventHandler(view, handlers, changes)),
    onFault: handlers.logFault,
  };
  const way: StacksWork = {
    locksFor: undefined,
    ...given,
    prepare: prepare && ((stacks) => reported(observers, terminal, () => prepare(stacks, view))),
    work: (stack) => work(stack, view),
    onFailure: async (problem) => view.diagnostics(diagnosticsOf(problem, terminal)),
    complete: complete && (() => complete(view)),
  };
  const notice = (text: string) => view.notice(text);
  try {
    const outcome = await interruptible(
      terminal,
      notice,
      (signals) => runStacks(loaded, { ...options, ...signals }, way),
      () => changes.describe(),
    );
    view.diagnostics(unknown);
    const ofStacks = unknown.length > 0 ? "failed" : outcome;
    const whole = worse(ofStacks, given.after?.(view) ?? "nothing");
    view.diagnostics(
      policies?.warnings({ isWholeApp: unselected.length === 0 && isWholeApp(args, shard, stacks) }) ?? [],
    );
    view.waivers(given.waivers?.() ?? policies?.waivers.list() ?? []);
    return whole;
  } finally {
    await view.end();
    const last = args.json ? undefined : lastLine(terminal, performance.now() - began);
    if (last !== undefined) terminal.out.line(last);
  }
}

/** Returns true if a run over all stacks also includes all their objects, because no option or shard limits the objects. */
const isWholeApp = (
  { targets = [], excludes = [], containers = [] }: RunArguments,
  shard: Shard | undefined,
  stacks: readonly StackFacts[],
): boolean =>
  [targets, excludes, containers].every(({ length }) => length === 0) &&
  shard === undefined &&
  stacks.every(({ isDivided }) => !isDivided);

/**
 * Returns the files of a stack that no output may overwrite: the state with its companion files, and the synthesized
 * configuration.
 */
function filesOf({ name, folder, stateFile }: StackFacts) {
  const of = name === undefined ? "" : ` of the stack "${name}"`;
  return [
    ...(stateFile === undefined ? [] : companionsOfState(stateFile, `the state${of}`)),
    ...(name === undefined
      ? []
      : [{ file: path.join(folder, "cdk.tf.json"), what: `the configuration${of}` }]),
  ];
}

const shardOf = (shard: Shard, stacks: readonly StackFacts[], others: number): AppShard => ({
  ...shard,
  stacks: stacks.map(({ name }) => name!),
  ofStacks: stacks.length + others,
  divided: stacks.flatMap(({ name, isDivided }) => (isDivided ? [name!] : [])),
});

/**
 * Runs `work`. If `work` throws before the first stack, sends the error to the observers, such as reports, and throws the error
 * again. The command itself prints the error only for people.
 *
 * @param isEnd true if the error ends the run before any stack is known. The observers then write their reports with the error
 */
async function reported<T>(
  observers: readonly Renderer[],
  terminal: Terminal,
  work: () => Promise<T>,
  isEnd = false,
): Promise<T> {
  try {
    return await work();
  } catch (problem) {
    const diagnostics = diagnosticsOf(problem, terminal);
    for (const one of observers) {
      one.on({ kind: "diagnostics", diagnostics });
      if (isEnd) await one.end();
    }
    throw problem;
  }
}

const worse = (one: StackOutcome, other: StackOutcome): StackOutcome =>
  (["failed", "found", "nothing"] as const).find((outcome) => outcome === one || outcome === other)!;

/** Returns the handler that forwards the engine's events to the view and the log. */
function eventHandler(
  view: RunView,
  handlers: Handlers,
  changes: ChangesInProgress,
): (event: StacksEvent) => void {
  const onRequest = handlers.requests(view);
  return (event) => {
    switch (event.kind) {
      case "stack":
        return view.stack(event.name, event.count);
      case "diagnostics":
        return view.diagnostics(event.diagnostics);
      case "notice":
        return view.notice(event.text);
      case "log":
        return handlers.log.write(event.level, event.message);
      case "app":
        // The engine sends these events while the app runs. This handler is created later, so it never gets these events.
        return;
      case "request":
        return onRequest(event.request);
      default:
        changes.on(event);
        return view.tell({ kind: "engine", event });
    }
  };
}
