import type { Diagnostic } from "../../diagnostics";
import type {
  ApplyResult,
  DriftReport,
  EngineEvent,
  ImportResult,
  Plan,
  PlanMode,
  SkippedObject,
} from "../../engine";
import { oneLine } from "../../text";
import type { Suppressed } from "../drift/finding-filter";
import { type Style, styleFor } from "../printing/style";
import type { Wait } from "../stacks/waits";
import type { Terminal } from "../terminal/terminal";
import { renderAccess } from "./access";
import { renderApplied } from "./applied";
import { Deduplicator } from "./dedupe";
import { renderDiagnostic } from "./diagnostics";
import { renderDriftReport, renderUnmanaged } from "./drift";
import { asOneLine, byCause, withAffectedObjects } from "./grouped";
import { renderImported } from "./imported";
import { renderPlan } from "./plan";
import { createProgress } from "./progress/create-progress";
import type { Progress } from "./progress/progress";
import { renderRights } from "./rights";
import type { RunView, Unmanaged } from "./run-view";
import { renderSaved } from "./saved-plan";
import { renderStackHeading } from "./stack-heading";

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
  #stack = "";

  /** @param planner the program that makes the plans; this one by default */
  constructor(terminal: Terminal, color: boolean, planner?: string) {
    this.#terminal = terminal;
    this.#planner = planner;
    this.#out = styleFor(terminal.out, terminal, color);
    this.#err = styleFor(terminal.err, terminal, color);
    this.#progress = createProgress(terminal, color);
  }

  stack(name: string | undefined, count: number): void {
    this.#deduplicator.reset();
    this.#stack = name ?? "";
    if (name !== undefined && count > 1) this.#terminal.out.lines(renderStackHeading(name, this.#out));
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

  plan(plan: Plan): void {
    this.#write(renderPlan(plan, this.#out, this.#planner));
    if (plan.access !== undefined) this.#write(renderAccess(plan.access, this.#out));
    if (plan.rights !== undefined) this.#write(renderRights(plan.rights, this.#out));
    this.diagnostics(plan.diagnostics);
  }

  saved(file: string, options?: readonly string[]): void {
    this.#write(renderSaved(file, this.#out, options));
  }

  applied(mode: PlanMode, result: ApplyResult): void {
    this.#write(renderApplied(mode, result, this.#out));
    this.diagnostics(result.diagnostics);
  }

  unmanaged(found: Unmanaged, suppressed: Suppressed): void {
    this.#write(renderUnmanaged(found, suppressed, this.#out));
  }

  drift(report: DriftReport, suppressed: Suppressed): void {
    this.#write(renderDriftReport(report, suppressed, this.#out));
    this.diagnostics(report.diagnostics);
  }

  notRepaired({ address, reason }: SkippedObject): void {
    this.notice(`${oneLine(address)} is not repaired: ${reason}.`);
  }

  imported(address: string, result: ImportResult): void {
    this.#write(renderImported(address, result, this.#out));
    this.diagnostics(result.diagnostics);
  }

  end(): Promise<void> {
    return this.stopProgress();
  }

  /** Parts of the output are separated by empty lines. */
  #write(lines: readonly string[]): void {
    if (lines.length > 0) this.#terminal.out.lines(["", ...lines]);
  }
}
