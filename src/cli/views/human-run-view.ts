import { type Diagnostic, hasErrors } from "../../diagnostics";
import type {
  ApplyResult,
  EngineEvent,
  ImportResult,
  PlanMode,
  RightsReport,
  SkippedObject,
} from "../../engine";
import type { UsedWaiver } from "../../provider";
import { oneLine } from "../../text";
import { isShown } from "../document/describe";
import { failedCounts, planCounts } from "../document/totals";

import type { Suppressed } from "../drift/finding-filter";
import { type Style, styleFor } from "../printing/style";
import type { Wait } from "../stacks/waits";
import type { Terminal } from "../terminal/terminal";
import { renderAccess } from "./access";
import { ActionTable } from "./action-table";
import { renderApplied } from "./applied";
import { Deduplicator } from "./dedupe";
import { renderDiagnostic } from "./diagnostics";
import { renderDriftReport, renderUnmanaged } from "./drift";
import type { EqualInStacks } from "./equal-in-stacks";
import { asOneLine, byCause, withAffectedObjects } from "./grouped";
import { renderImported } from "./imported";
import { accessJson } from "./json/access";
import { type MergedAccess, mergeAccess } from "./merge-access";
import { renderPlan } from "./plan";
import { createProgress } from "./progress/create-progress";
import type { Progress } from "./progress/progress";
import { renderRequests } from "./requests";
import { renderRights } from "./rights";
import type { AppShard, RunView, ShownDrift, ShownPlan, ToApprove, Unmanaged } from "./run-view";
import { renderSaved, renderToApprove } from "./saved-plan";
import { describeShard } from "./shard";
import { renderStackHeading } from "./stack-heading";
import { StackTotals } from "./stack-totals";
import { renderWaivers } from "./waivers";

/** The output for people: reports on stdout, progress and diagnostics on stderr. */
export class HumanRunView implements RunView {
  readonly #terminal: Terminal;
  readonly #planner: string | undefined;
  readonly #out: Style;
  readonly #err: Style;
  readonly #progress: Progress;
  readonly #deduplicator = new Deduplicator();
  /** The stack that reported each cause in full. */
  readonly #reportedIn = new Map<string, string>();
  readonly #table: ActionTable | undefined;
  readonly #totals = new StackTotals();
  #stack = "";
  /** Whether no error kept the run from anything: violated policies don't. */
  #isWhole = true;
  /** Whether the run has several stacks. */
  #hasSeveral = false;
  /** The heading of a stack that has no output yet: stacks without findings have none. */
  #heading: readonly string[] = [];

  /**
   * @param planner the program that makes the plans; this one by default
   * @param summary totals by type and action in place of plans and findings
   */
  constructor(terminal: Terminal, color: boolean, planner?: string, summary = false) {
    this.#terminal = terminal;
    this.#table = summary ? new ActionTable() : undefined;
    this.#planner = planner;
    this.#out = styleFor(terminal.out, terminal, color);
    this.#err = styleFor(terminal.err, terminal, color);
    this.#progress = createProgress(terminal, color);
  }

  shard(shard: AppShard): void {
    this.notice(describeShard(shard));
  }

  /** Names the stack in the progress from now on; its output may come later. */
  workOn(name: string | undefined, count: number): void {
    this.#progress.stack(count > 1 ? name : undefined);
  }

  stack(name: string | undefined, count: number): void {
    this.workOn(name, count);
    this.#deduplicator.reset();
    this.#stack = name ?? "";
    this.#hasSeveral = name !== undefined && count > 1;
    this.#heading = this.#hasSeveral ? renderStackHeading(name, this.#out) : [];
    this.#totals.start(this.#stack);
  }

  event(event: EngineEvent): void {
    if (event.kind === "warned") {
      // The progress display has to be removed before other output.
      void this.#progress.stop().then(() => this.diagnostics(event.diagnostics));
    } else this.#progress.event(event);
  }

  requested(): void {
    this.#progress.requested();
  }

  waiting(wait: Wait): void {
    this.#progress.waiting(wait);
  }

  stopProgress(): Promise<void> {
    return this.#progress.stop();
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    const { err } = this.#terminal;
    if (hasErrors(diagnostics)) this.#totals.fail(this.#stack);
    if (diagnostics.some(({ severity, code }) => severity === "error" && code !== "policy_violated"))
      this.#isWhole = false;
    if (diagnostics.length > 0) this.#writeHeading();
    for (const group of byCause(this.#deduplicator.filter(diagnostics))) {
      const stack = this.#reportedIn.get(group.cause ?? "") ?? this.#stack;
      if (stack !== this.#stack) {
        err.line(oneLine(asOneLine(group, stack)));
        continue;
      }
      if (group.cause !== undefined) this.#reportedIn.set(group.cause, stack);
      err.lines(renderDiagnostic(withAffectedObjects(group), this.#err, err.columns));
    }
  }

  notice(text: string): void {
    this.#terminal.err.line(text);
  }

  /** The equal changes of different stacks, before the stacks themselves. */
  equal(equal: EqualInStacks): void {
    const lines = this.#table === undefined ? equal.render(this.#out) : [];
    if (lines.length > 0) this.#terminal.out.lines(["", this.#out.bold("In several stacks"), "", ...lines]);
  }

  /** The access changes of the whole run. */
  access(report: MergedAccess): void {
    this.#heading = [];
    this.#write(renderAccess(accessJson(report), this.#out, this.#isWhole));
  }

  /** The rights that the whole run needs. */
  rights(report: RightsReport): void {
    this.#heading = [];
    this.#write(renderRights(report, this.#out));
  }

  /** @param equal the changes that are shown with those of other stacks */
  plan(plan: ShownPlan, equal?: EqualInStacks): void {
    const { diagnostics, hasChanges, unchecked, access, rights, requests } = plan;
    const isClean = !hasChanges && diagnostics.length === 0 && unchecked.length === 0;
    const hasOutput = !isClean || !this.#hasSeveral;
    const counts = planCounts(plan);
    this.#totals.add(this.#stack, { of: "plan", counts, hasFindings: hasChanges });
    if (this.#table !== undefined) this.#table.addPlan(plan);
    else if (hasOutput && !isWhollyElsewhere(plan, equal))
      this.#write(renderPlan(plan, this.#out, this.#planner, (change) => equal?.has(change) ?? false));
    if (access !== undefined && hasOutput)
      this.#write(renderAccess(accessJson(mergeAccess([{ stack: undefined, access }])), this.#out));
    if (rights !== undefined && hasOutput) this.#write(renderRights(rights, this.#out));
    if (requests !== undefined && hasOutput) this.#write(renderRequests(requests, this.#out));
    this.diagnostics(diagnostics);
  }

  saved(file: string, options?: readonly string[]): void {
    this.#write(renderSaved(file, this.#out, options));
  }

  toApprove(written: ToApprove): void {
    this.#heading = [];
    this.#write(renderToApprove(written, this.#out));
  }

  applied(mode: PlanMode, result: ApplyResult): void {
    const { done, diagnostics, unchecked, state } = result;
    const hasFindings = Object.values(done).some((count) => count > 0);
    const counts = { ...done, ...failedCounts(diagnostics, unchecked) };
    if (hasErrors(diagnostics)) this.#totals.fail(this.#stack);
    this.#totals.add(this.#stack, { of: mode === "destroy" ? "destroy" : "apply", counts, hasFindings });
    const isClean = !hasFindings && diagnostics.length + unchecked.length === 0;
    if (isClean && this.#heading.length > 0 && Object.keys(state.outputs).length === 0) return;
    // What the plan could not include is missing from the result as well.
    this.#write(renderApplied(mode, result, this.#totals.hasFailed(this.#stack), this.#out));
    this.diagnostics(result.diagnostics);
  }

  unmanaged(found: Unmanaged, suppressed: Suppressed): void {
    // These belong to the whole run.
    this.#heading = [];
    this.#write(renderUnmanaged(found, suppressed, this.#totals.hasFailures, this.#out));
  }

  /** @param equal the drift that is shown with that of other stacks */
  drift(report: ShownDrift, suppressed: Suppressed, equal?: EqualInStacks): void {
    const { drifted, objects, unchecked, diagnostics, access } = report;
    const findings = drifted.length + unchecked.length + diagnostics.length;
    const isClean =
      objects.length > 0 && findings + suppressed.ignored.length + suppressed.known.length === 0;
    const addresses = unchecked.map(({ object }) => object.address);
    const counts = {
      checked: objects.length,
      drifted: drifted.length,
      ...failedCounts(diagnostics, addresses),
    };
    const hasFindings = drifted.length + suppressed.ignored.length + suppressed.known.length > 0;
    this.#totals.add(this.#stack, { of: "drift", counts, hasFindings });
    if (this.#table !== undefined) this.#table.addDrift(report);
    else if ((!isClean || !this.#hasSeveral) && !isDriftWhollyElsewhere(report, suppressed, equal))
      this.#write(
        renderDriftReport(report, suppressed, this.#out, (drifted) => equal?.has(drifted) ?? false),
      );
    if (access !== undefined && (!isClean || !this.#hasSeveral))
      this.#write(renderAccess(accessJson(mergeAccess([{ stack: undefined, access }])), this.#out));
    this.diagnostics(diagnostics);
  }

  notRepaired({ address, reason }: SkippedObject): void {
    this.notice(`${oneLine(address)} is not repaired: ${reason}.`);
  }

  imported(address: string, result: ImportResult): void {
    this.#write(renderImported(address, result, this.#out));
    this.diagnostics(result.diagnostics);
  }

  waivers(all: readonly UsedWaiver[]): void {
    this.#heading = [];
    this.#write(renderWaivers(all, this.#out));
  }

  async end(): Promise<void> {
    await this.stopProgress();
    this.#heading = [];
    if (this.#table !== undefined) this.#write(this.#table.render(this.#out));
    this.#write(this.#totals.render(this.#out, this.#table !== undefined));
  }

  #writeHeading(): void {
    if (this.#heading.length > 0) this.#terminal.out.lines(this.#heading);
    this.#heading = [];
  }

  /** Parts of the output are separated by empty lines. */
  #write(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#writeHeading();
    this.#terminal.out.lines(["", ...lines]);
  }
}

/** Whether everything that a plan shows is shown with equal changes of other stacks. */
const isWhollyElsewhere = (
  { changes, outputs, unchecked }: ShownPlan,
  equal: EqualInStacks | undefined,
): boolean =>
  equal !== undefined &&
  changes.some(isShown) &&
  changes.filter(isShown).every((change) => equal.has(change)) &&
  outputs.every(({ action }) => action === "no-op") &&
  unchecked.length === 0;

const isDriftWhollyElsewhere = (
  { drifted, unchecked }: ShownDrift,
  { ignored, known }: Suppressed,
  equal: EqualInStacks | undefined,
): boolean =>
  equal !== undefined &&
  drifted.length > 0 &&
  drifted.every((one) => equal.has(one)) &&
  unchecked.length + ignored.length + known.length === 0;
