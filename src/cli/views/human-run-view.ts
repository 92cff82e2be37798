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
import { renderApplied } from "./applied";
import { Deduplicator } from "./dedupe";
import { renderDiagnostic } from "./diagnostics";
import { renderDriftReport, renderUnmanaged } from "./drift";
import { byCause, inFull, inOneLine } from "./grouped";
import { renderImported } from "./imported";
import { renderPlan } from "./plan";
import { createProgress } from "./progress/create-progress";
import type { Progress } from "./progress/progress";
import type { RunView, Unmanaged } from "./run-view";
import { renderSaved } from "./saved-plan";
import { renderStackHeading } from "./stack-heading";

/** A run for people: reports on stdout, progress and diagnostics on stderr. */
export class HumanRunView implements RunView {
  readonly #terminal: Terminal;
  readonly #out: Style;
  readonly #err: Style;
  readonly #progress: Progress;
  readonly #once = new Deduplicator();
  /** The stack with which each cause was told in full. */
  readonly #told = new Map<string, string>();
  #stack = "";

  constructor(terminal: Terminal, color: boolean) {
    this.#terminal = terminal;
    this.#out = styleFor(terminal.out, terminal, color);
    this.#err = styleFor(terminal.err, terminal, color);
    this.#progress = createProgress(terminal, color);
  }

  stack(name: string | undefined, count: number): void {
    this.#once.reset();
    this.#stack = name ?? "";
    if (name !== undefined && count > 1) this.#terminal.out.lines(renderStackHeading(name, this.#out));
  }

  event(event: EngineEvent): void {
    if (event.kind === "warned") {
      // What moves on the screen makes room first.
      void this.#progress.settle().then(() => this.diagnostics(event.diagnostics));
    } else this.#progress.event(event);
  }

  requested(): void {
    this.#progress.requested();
  }

  waiting(wait: Wait): void {
    this.#progress.waiting(wait);
  }

  settle(): Promise<void> {
    return this.#progress.settle();
  }

  diagnostics(diagnostics: readonly Diagnostic[]): void {
    const { err } = this.#terminal;
    for (const group of byCause(this.#once.filter(diagnostics))) {
      const stack = this.#told.get(group.cause ?? "") ?? this.#stack;
      if (stack !== this.#stack) {
        err.line(oneLine(inOneLine(group, stack)));
        continue;
      }
      if (group.cause !== undefined) this.#told.set(group.cause, stack);
      err.lines(renderDiagnostic(inFull(group), this.#err, err.columns));
    }
  }

  notice(text: string): void {
    this.#terminal.err.line(text);
  }

  plan(plan: Plan): void {
    this.#write(renderPlan(plan, this.#out));
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
    return this.settle();
  }

  /** Parts of the report are set apart by an empty line. */
  #write(lines: readonly string[]): void {
    if (lines.length > 0) this.#terminal.out.lines(["", ...lines]);
  }
}
