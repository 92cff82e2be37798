import { type Diagnostic, hasErrors } from "../../diagnostics";
import type { ApplyResult, EngineEvent, PlanMode } from "../../engine";
import { oneLine } from "../../text";
import { failedCounts, type PlannedStack } from "../document/counts";
import type { EqualInStacks } from "../document/equal";
import type { ReportObject } from "../document/model";
import { paragraphs, type Terminal } from "../terminal/terminal";
import { type Style, styleFor } from "../terminal/text";
import { renderAccess } from "./access";
import { alikeIn, asOneLine, byCause, Deduplicator, renderDiagnostic, summedUp } from "./diagnostics";
import { renderDrifted, renderDriftReport, renderUnmanaged } from "./drift";
import { isListed, legend, renderChange, renderPlan } from "./plan";
import { Progress } from "./progress";
import { renderRequests } from "./requests";
import { renderRights } from "./rights";
import { renderApplied, renderImported, renderSaved, renderToApprove } from "./run-results";
import {
  type Described,
  type DriftedEvent,
  type EventHandlers,
  handle,
  type PlannedEvent,
  type Renderer,
  type RunEvent,
} from "./run-view";
import { ActionTable, StackTotals } from "./stack-totals";
import { describeShard, renderStackHeading } from "./summary";
import { renderWaivers } from "./waivers";

/** Renders the changes that are equal in several stacks, after the lines that explain the symbols of actions. */
function renderInSeveralStacks(groups: readonly EqualInStacks[], style: Style): string[] {
  const planned = groups.flatMap(({ objects: [first] }) => (first.action === undefined ? [] : [first]));
  return paragraphs([
    legend(planned, style),
    ...groups.map(({ objects, stacks }) =>
      objects[0].action === undefined
        ? renderDrifted(objects, style, stacks)
        : renderChange(objects, style, { stacks }),
    ),
  ]);
}

/** The events of a run, without models of plans and drift, because a text for people does not need these models. */
export type TextEvent =
  | Exclude<RunEvent, PlannedEvent | DriftedEvent>
  | Omit<PlannedEvent, "model">
  | Omit<DriftedEvent, "model">;

/** The kinds of events about progress. Before an event of any other kind, the progress display is removed. */
const PROGRESS: ReadonlySet<TextEvent["kind"]> = new Set(["stack", "engine", "requested", "waiting"]);

/** The output for people: reports on stdout, progress and diagnostics on stderr. */
export class HumanRunView implements Renderer {
  readonly #planner: string | undefined;
  readonly #out: Style;
  readonly #err: Style;
  readonly #progress: Progress;
  readonly #deduplicator = new Deduplicator();
  /** For each cause, the name of the stack that reported this cause in full. */
  readonly #reportedIn = new Map<string, string>();
  readonly #table: ActionTable | undefined;
  readonly #totals = new StackTotals();
  #stack = "";
  /** The number of stacks that the run has begun. */
  #position = 0;
  /** The objects that the list of equal changes in several stacks already contains. */
  #elsewhere: ReadonlySet<ReportObject> = new Set();
  /** Whether the results of the run are complete. Violations of policies do not make the results incomplete. */
  #isWhole = true;
  /** Whether the run has several stacks. */
  #hasSeveral = false;
  /**
   * The heading of the current stack; empty after the first output of this stack. A stack without findings has no output and no
   * heading.
   */
  #heading: readonly string[] = [];

  /**
   * @param planner the name of the program that makes the plans; the default is Steward
   * @param summary whether the output has only totals by type and action, instead of plans and findings
   */
  constructor(
    private readonly terminal: Terminal,
    color: boolean,
    planner?: string,
    summary = false,
  ) {
    this.#table = summary ? new ActionTable() : undefined;
    this.#planner = planner;
    this.#out = styleFor(terminal.out, terminal, color);
    this.#err = styleFor(terminal.err, terminal, color);
    const isAnimated = color && terminal.err.isTerminal && terminal.out.isTerminal;
    // With a log, the progress is not animated, because the lines of the log would interrupt the animation.
    this.#progress = new Progress(terminal, isAnimated && terminal.env["STEWARD_LOG"] === undefined);
  }

  readonly #on: EventHandlers<TextEvent> = {
    shard: ({ shard }) => this.terminal.err.line(describeShard(shard)),
    stack: ({ name, count }) => this.#startStack(name, count),
    engine: ({ event }) => this.#engine(event),
    requested: () => this.#progress.requested(),
    waiting: ({ wait }) => this.#progress.waiting(wait),
    diagnostics: ({ diagnostics }) => this.#diagnostics(diagnostics),
    notice: ({ text }) => this.terminal.err.line(text),
    planned: (event) => this.#plan(event),
    saved: ({ file, options }) => this.#write(renderSaved(file, this.#out, options)),
    toApprove: ({ written }) => this.#writeOfRun(renderToApprove(written, this.#out)),
    applied: ({ mode, result }) => this.#applied(mode, result),
    drifted: (event) => this.#drift(event),
    notRepaired: ({ left }) =>
      this.terminal.err.line(`${oneLine(left.address)} is not repaired: ${left.reason}.`),
    unmanaged: (event) => this.#unmanaged(event),
    imported: ({ address, result }) => {
      this.#write(renderImported(address, result, this.#out));
      this.#diagnostics(result.diagnostics);
    },
    // Ignores this event, because the plan of each stack already showed the access and rights of that stack.
    described: () => undefined,
    waivers: ({ waivers }) => this.#writeOfRun(renderWaivers(waivers, this.#out)),
  };

  on(event: TextEvent): void {
    if (!PROGRESS.has(event.kind)) this.stopProgress();
    handle(this.#on, event);
  }

  /** From now on, the progress shows the name of this stack. The output of the stack can come later. */
  workOn(name: string | undefined, count: number): void {
    this.#position += 1;
    const isNamed = name !== undefined && count > 1;
    this.#progress.stack(isNamed ? `Stack ${name} (${this.#position} of ${count}): ` : "");
  }

  stopProgress(): void {
    this.#progress.stop();
  }

  /** Writes the changes that are equal in several stacks. Called before the output of the stacks. */
  several(groups: readonly EqualInStacks[]): void {
    this.#elsewhere = new Set(groups.flatMap(({ objects }) => objects));
    if (this.#table !== undefined || groups.length === 0) return;
    const lines = renderInSeveralStacks(groups, this.#out);
    this.terminal.out.lines(["", this.#out.bold("In several stacks"), "", ...lines]);
  }

  /** Writes the access changes and the rights of the whole run. */
  whole(whole: Described): void {
    this.#heading = [];
    this.#describe(whole, this.#isWhole);
  }

  async end(): Promise<void> {
    this.stopProgress();
    if (this.#table !== undefined) this.#writeOfRun(this.#table.render(this.#out));
    this.#writeOfRun(this.#totals.render(this.#out, this.#table !== undefined));
  }

  #startStack(name: string | undefined, count: number): void {
    this.workOn(name, count);
    this.#deduplicator.reset();
    this.#stack = name ?? "";
    this.#hasSeveral = name !== undefined && count > 1;
    this.#heading = this.#hasSeveral ? renderStackHeading(name, this.#out) : [];
    this.#totals.start(this.#stack);
  }

  #engine(event: EngineEvent): void {
    if (event.kind !== "warned") this.#progress.event(event);
    else {
      this.stopProgress();
      this.#diagnostics(event.diagnostics);
    }
  }

  #diagnostics(diagnostics: readonly Diagnostic[]): void {
    const { err, source } = this.terminal;
    if (hasErrors(diagnostics)) this.#totals.fail(this.#stack);
    if (diagnostics.some(({ severity, code }) => severity === "error" && code !== "policy_violated"))
      this.#isWhole = false;
    if (diagnostics.length > 0) this.#writeHeading();
    const own = byCause(this.#deduplicator.filter(diagnostics)).filter((group) => {
      const stack = this.#reportedIn.get(group.cause ?? "") ?? this.#stack;
      if (stack !== this.#stack) err.line(oneLine(asOneLine(group, stack, source)));
      else if (group.cause !== undefined) this.#reportedIn.set(group.cause, stack);
      return stack === this.#stack;
    });
    for (const alike of alikeIn(own))
      err.lines(renderDiagnostic(summedUp(alike), this.#err, err.columns, source));
  }

  #plan({ planned, described, requests }: Omit<PlannedEvent, "model">): void {
    const { plan, diagnostics, unchecked } = planned;
    const hasFindings = plan.has_changes;
    const isClean = !hasFindings && diagnostics.length === 0 && unchecked.length === 0;
    this.#totals.add(this.#stack, { of: "plan", counts: plan.counts, hasFindings });
    const isShown = !isClean || !this.#hasSeveral;
    if (this.#table !== undefined) this.#table.addPlan(planned);
    else if (isShown && !isWhollyElsewhere(planned, this.#elsewhere))
      this.#write(renderPlan(planned, this.#out, this.#planner, this.#elsewhere));
    if (isShown) {
      this.#describe(described);
      if (requests !== undefined) this.#write(renderRequests(requests, planned.objects, this.#out));
    }
    this.#diagnostics(diagnostics);
  }

  #describe({ access, rights }: Described, isWhole = true): void {
    if (access !== undefined)
      this.#write(renderAccess(access, this.#out, isWhole, this.terminal.out.columns));
    if (rights !== undefined) this.#write(renderRights(rights, this.#out));
  }

  #applied(mode: PlanMode, result: ApplyResult): void {
    const { done, diagnostics, unchecked, state } = result;
    const hasFindings = Object.values(done).some((count) => count > 0);
    const counts = { ...done, ...failedCounts(diagnostics, unchecked) };
    if (hasErrors(diagnostics)) this.#totals.fail(this.#stack);
    this.#totals.add(this.#stack, { of: mode === "destroy" ? "destroy" : "apply", counts, hasFindings });
    const isClean = !hasFindings && diagnostics.length + unchecked.length === 0;
    if (isClean && this.#heading.length > 0 && Object.keys(state.outputs).length === 0) return;
    // An error of the plan counts too: objects that the plan could not include are also missing from the result of the apply.
    const hasFailed = this.#totals.hasFailed(this.#stack);
    this.#write(renderApplied(mode, state.outputs, counts, hasFailed, this.#out));
    this.#diagnostics(result.diagnostics);
  }

  #drift({ drift, suppressed, described }: Omit<DriftedEvent, "model">): void {
    const { objects, checked, unchecked, diagnostics } = drift;
    const { length: drifted } = objects;
    const passedOver = suppressed.ignored.length + suppressed.known.length;
    const isClean = checked > 0 && drifted + unchecked.length + diagnostics.length + passedOver === 0;
    const counts = { checked, drifted, ...failedCounts(diagnostics, unchecked) };
    const { known, ignored } = suppressed;
    this.#totals.add(this.#stack, {
      of: "drift",
      counts,
      hasFindings: drifted > 0,
      known: known.length,
      ignored: ignored.length,
    });
    const isShown = !isClean || !this.#hasSeveral;
    const isElsewhere =
      drifted > 0 && objects.every((one) => this.#elsewhere.has(one)) && unchecked.length + passedOver === 0;
    if (this.#table !== undefined) this.#table.addDrift(drift);
    else if (isShown && !isElsewhere)
      this.#write(renderDriftReport(drift, suppressed, this.#out, this.#elsewhere));
    if (isShown) this.#describe(described);
    this.#diagnostics(diagnostics);
  }

  #unmanaged({ found, suppressed, described }: Extract<TextEvent, { kind: "unmanaged" }>): void {
    this.#totals.addUnmanaged(found.objects.length);
    this.#table?.addDrift(found);
    const isSummary = this.#table !== undefined;
    const hasFailed = this.#totals.hasFailures;
    this.#writeOfRun(renderUnmanaged(found, suppressed, { hasFailed, isSummary }, this.#out));
    this.#describe(described, this.#isWhole);
  }

  #writeHeading(): void {
    if (this.#heading.length > 0) this.terminal.out.lines(this.#heading);
    this.#heading = [];
  }

  /** Writes lines about the whole run, without the heading of a stack. */
  #writeOfRun(lines: readonly string[]): void {
    this.#heading = [];
    this.#write(lines);
  }

  /** Writes lines after an empty line. Before that, writes the heading of the stack if the heading is not written yet. */
  #write(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#writeHeading();
    this.terminal.out.lines(["", ...lines]);
  }
}

/** Returns true if the list of equal changes in several stacks already contains all changes of a plan. */
function isWhollyElsewhere(
  { objects, outputs, unchecked }: PlannedStack,
  elsewhere: ReadonlySet<ReportObject>,
): boolean {
  const shown = objects.filter(isListed);
  return (
    shown.length > 0 &&
    shown.every((object) => elsewhere.has(object)) &&
    outputs.every(({ action }) => action === "no-op") &&
    unchecked.length === 0
  );
}
