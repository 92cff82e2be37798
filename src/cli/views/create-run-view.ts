import type { ViewArguments } from "../arguments/shared-options";
import { equalInStacks } from "../document/equal";
import type { ReportStack } from "../document/model";
import type { Terminal } from "../terminal/terminal";
import { HumanRunView, type TextEvent } from "./human-run-view";
import { JsonRunView } from "./json/json-run-view";
import { isListed } from "./plan";
import { type Renderer, type RunEvent, RunView } from "./run-view";

interface ViewOptions {
  /** The program that makes the plans; this one by default. */
  readonly planner?: string;
  /** Shows equal changes of different stacks once, at the end of a run that only reads. */
  readonly isMerged?: boolean;
  /** Further outputs, such as reports. */
  readonly observers?: readonly Renderer[];
}

/** The output in the format that the command line selects. */
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

/** The events of the progress, and notices about it. */
const AT_ONCE: ReadonlySet<RunEvent["kind"]> = new Set(["engine", "requested", "waiting", "notice", "shard"]);

/** The output for people of a run that only reads. Several stacks are shown at the end. */
export class MergedRunView extends HumanRunView {
  ofSeveralStacks(): Renderer {
    return new HeldRunView(this);
  }
}

/**
 * Holds the results of several stacks until the run ends. Only then Steward knows the equal changes of different stacks, which it
 * shows once.
 */
class HeldRunView implements Renderer {
  /** The output so far, in its order. */
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
 * Removes the models of plans, because they are large and text does not need them. Access and rights are shown for
 * all stacks together.
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

/** Returns the objects to compare with other stacks. A refresh-only plan shows drift in its own way. */
function comparedIn(event: TextEvent): Pick<ReportStack, "objects">[] {
  if (event.kind === "drifted") return [event.drift];
  return event.kind === "planned" && event.planned.plan.mode !== "refresh-only" ? [event.planned] : [];
}
