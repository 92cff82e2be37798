import {
  type LoadedStacks,
  type OpenStack,
  type Outcome,
  runStacks,
  type Stack,
  type StacksEvent,
} from "../../engine";
import type { RunArguments } from "../arguments/stack-options";
import { Interruption } from "../stacks/interruption";
import { loadNamedStacks } from "../stacks/load-stacks";
import { ownProviders } from "../stacks/providers";
import { Waits } from "../stacks/waits";
import { createLog, type Log, logRequest } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { compositeView } from "../views/composite-view";
import { createRunView } from "../views/create-run-view";
import { diagnosticsOf } from "../views/failure";
import type { RunView } from "../views/run-view";
import { Handlers } from "./handlers";

export interface Manner {
  /** What the state is locked for; nothing where it is only read. */
  readonly locksFor: string | undefined;
  /** Stacks that others depend on come last. */
  readonly reversed: boolean;
  /** What a stack declares is compared with the other stacks of the app, and none with an open move is worked on. */
  readonly compares?: boolean;
  /** A stack is passed over when one that had to come before it failed. */
  readonly waits: boolean;
  /** Loads the stacks; without it they are those that the command line names. */
  readonly load?: () => Promise<LoadedStacks>;
  /** Watch the run beside its view, such as a report. */
  readonly observers?: readonly RunView[];
  /** What is left to tell once all stacks were worked on. */
  readonly after?: (view: RunView) => Outcome;
  /** Takes some of the stacks; without it all are worked on. */
  readonly choose?: (stacks: readonly Stack[]) => readonly Stack[];
  /** Looks at all stacks before the first is worked on, without a lock. What it throws ends the run. */
  readonly prepare?: (stacks: readonly OpenStack[], view: RunView) => Promise<void>;
  /** Does what is to be done once all stacks were worked on. */
  readonly complete?: (view: RunView) => Promise<void>;
}

/** Runs a command over the stacks that its command line names: what the engine tells goes to the view and the log. */
export async function eachStack(
  args: RunArguments,
  terminal: Terminal,
  { observers = [], load, after, prepare, complete, ...manner }: Manner,
  work: (stack: OpenStack, view: RunView) => Promise<Outcome>,
): Promise<Outcome> {
  const { folder, env } = terminal;
  const log = createLog(terminal);
  const view = compositeView(createRunView(args, terminal), observers);
  const loaded = await (load?.() ?? loadNamedStacks(args, terminal));
  const handlers = new Handlers(log, terminal, args);
  const interruption = new Interruption(terminal, (text) => view.notice(text));
  const { stop, abort } = interruption;
  const options = {
    ...args,
    folder,
    env,
    stop,
    abort,
    providers: ownProviders(terminal),
    onEvent: handlers.guard(shownBy(view, log)),
    onFault: handlers.logFault,
  };
  try {
    const outcome = await runStacks(loaded, options, {
      ...manner,
      prepare: prepare && ((stacks) => prepare(stacks, view)),
      work: (stack) => work(stack, view),
      onFailure: async (problem) => {
        await view.stopProgress();
        view.diagnostics(diagnosticsOf(problem, terminal));
      },
      complete: complete && (() => complete(view)),
    });
    return worse(outcome, after?.(view) ?? "nothing");
  } finally {
    interruption.close();
    await view.end();
  }
}

const worse = (one: Outcome, other: Outcome): Outcome =>
  (["failed", "found", "nothing"] as const).find((outcome) => outcome === one || outcome === other)!;

/** Shows the events of a run. */
function shownBy(view: RunView, log: Log): (event: StacksEvent) => void {
  const waits = new Waits();
  return (event) => {
    switch (event.kind) {
      case "stack":
        return view.stack(event.name, event.count);
      case "diagnostics":
        return view.diagnostics(event.diagnostics);
      case "notice":
        return view.notice(event.text);
      case "log":
        return log.write(event.level, event.message);
      case "app":
        // Stacks are loaded before the run begins.
        return;
      case "request": {
        const { request } = event;
        logRequest(log, request);
        if (request.kind === "sent") view.requested();
        const wait = waits.worthTelling(request);
        if (wait !== undefined) view.waiting(wait);
        return;
      }
      default:
        return view.event(event);
    }
  };
}
