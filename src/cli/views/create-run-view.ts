import type { ViewArguments } from "../arguments/shared-options";
import { equalInStacks } from "../document/equal";
import type { ReportStack } from "../document/model";
import type { Terminal } from "../terminal/terminal";
import { HumanRunView, type TextEvent } from "./human-run-view";
import { JsonRunView } from "./json/json-run-view";
import { isListed } from "./plan";
import { type Renderer, type RunEvent, RunView } from "./run-view";

interface ViewOptions {
  /** The name of the program that makes the plans. The default is Steward. */
  readonly planner?: string;
  /** Whether equal changes of several stacks are shown only once, at the end of the run. Only for runs that change nothing. */
  readonly isMerged?: boolean;
  /** Receivers of the events in addition to the view, such as reports. */
  readonly observers?: readonly Renderer[];
}

/** Creates the view of a run, with the output format that the command line selects. */
export function createRunView(
  args: ViewArguments & { readonly summary?: boolean },
  terminal: Terminal,
  { planner, isMerged = false, observers = [] }: ViewOptions = {},
): RunView {
  const view = new RunView(outputOf(), ...observers);
  view.source = terminal.source;
  return view;

  function outputOf(): Renderer {
    if (args.json) return new JsonRunView(terminal);
    const View = isMerged ? MergedRunView : HumanRunView;
    return new View(terminal, args.color, planner, args.summary);
  }
}

/** The kinds of events that are shown immediately while results are held back: progress and notices. */
const AT_ONCE: ReadonlySet<RunEvent["kind"]> = new Set(["engine", "requested", "waiting", "notice", "shard"]);

/** The output for people of a run that changes nothing. If the run has several stacks, their results appear at the end. */
export class MergedRunView extends HumanRunView {
  ofSeveralStacks(): Renderer {
    return new HeldRunView(this);
  }
}

/**
 * Holds back the results of several stacks until the run ends. At the end, Steward knows which changes are equal in several
 * stacks, and shows these changes once.
 */
class HeldRunView implements Renderer {
  /** The events that were held back, in their order. */
  readonly #held: TextEvent[] = [];

  constructor(private readonly view: HumanRunView) {}

  on(event: RunEvent): void {
    if (event.kind === "stack") this.view.workOn(event.name, event.count);
    if (event.kind === "engine" && event.event.kind === "warned")
      this.#held.push({ kind: "diagnostics", diagnostics: event.event.diagnostics });
    else if (AT_ONCE.has(event.kind)) this.view.on(event);
    else this.#held.push(withoutModel(event));
  }

  async end(): Promise<void> {
    this.view.stopProgress();
    this.view.several(equalInStacks(this.#held.flatMap(comparedIn), isListed));
    for (const event of this.#held.splice(0))
      if (event.kind === "described") this.view.whole(event.whole);
      else this.view.on(event);
    await this.view.end();
  }
}

/**
 * Returns an event without the model of its plan, because models need much memory, and texts do not need models. Also removes
 * access and rights, because the view shows them only once, for all stacks.
 */
function withoutModel(event: RunEvent): TextEvent {
  if (event.kind === "planned") {
    const { kind, planned, requests } = event;
    return { kind, planned, requests, described: {} };
  }
  if (event.kind === "unmanaged") return { ...event, described: {} };
  if (event.kind !== "drifted") return event;
  const { kind, drift, suppressed } = event;
  return { kind, drift, suppressed, described: {} };
}

/**
 * Returns the objects that are compared with objects of other stacks. Returns no objects for a refresh-only plan, because a
 * refresh-only plan shows drift in a different form.
 */
function comparedIn(event: TextEvent): Pick<ReportStack, "objects">[] {
  if (event.kind === "drifted") return [event.drift];
  return event.kind === "planned" && event.planned.plan.mode !== "refresh-only" ? [event.planned] : [];
}
