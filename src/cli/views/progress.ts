import type { EngineEvent } from "../../engine";
import { counted, oneLine } from "../../text";
import type { Channel, Terminal } from "../terminal/terminal";
import { describeFully, describeWait } from "./summary";
import type { Wait } from "./waits";

const PHASES = {
  refresh: "Reading objects",
  apply: "Applying changes",
  list: "Reading projects and groups",
} as const;

/** The time and the number of objects after which Steward estimates the remaining time of a phase. */
const LEAST = { milliseconds: 3000, objects: 5 };

/** If at least this number of seconds remains, the progress shows the remaining time in minutes. */
const MANY_SECONDS = 120;

type Counted = Extract<EngineEvent, { kind: "progress" }>;

/**
 * The time between two lines about a long phase, in milliseconds. The time differs between a log, a terminal without colours
 * (`lines`), and a terminal with colours (`animated`).
 */
const INTERVAL = { log: 10_000, lines: 5000, animated: 100 };

/** The control sequence that deletes the line of the cursor. */
const CLEAR = "\r\u001b[2K";

type ProgressTerminal = Pick<Terminal, "every"> & {
  readonly err: Pick<Channel, "line" | "exact" | "columns" | "isTerminal">;
};

/**
 * Shows progress while a phase runs. Each change has a line at its start and its end. A long phase shows the last object, the count
 * and an estimate of the remaining time. On a terminal with colours, this line changes in place and disappears with the phase.
 * Everywhere else, a new line appears every few seconds.
 */
export class Progress {
  #latest: Pick<Counted, "phase" | "done" | "total" | "last"> | undefined;
  #requests = 0;
  #first = { phase: "", done: 0, at: 0 };
  #stack = "";
  #wait = { reason: "", until: 0 };
  #cancel: (() => void) | undefined;

  constructor(
    private readonly terminal: ProgressTerminal,
    private readonly isAnimated = false,
    private readonly now: () => number = Date.now,
  ) {}

  /** Starts the progress of a stack. The label is a text such as `Stack web (2 of 12): `, or empty for a run with one stack. */
  stack(label: string): void {
    this.#stack = label;
    this.#latest = undefined;
    this.#requests = 0;
    this.#first = { phase: "", done: 0, at: 0 };
  }

  event(event: Exclude<EngineEvent, { kind: "warned" }>): void {
    this.#begin();
    if (event.kind === "progress") this.#update(event);
    else if (event.kind === "settled" || event.kind.startsWith("apply_")) this.#line(describeFully(event));
  }

  #update({ phase, done, total, last }: Counted): void {
    if (this.#first.phase !== phase) this.#first = { phase, done, at: this.now() };
    this.#latest = { phase, done, total, last };
  }

  /** Adds 1 to the number of requests that the progress shows. */
  requested(): void {
    this.#begin();
    this.#requests++;
  }

  /** Shows a wait. On a terminal, the wait is shown until its end, even while responses to earlier requests arrive. */
  waiting(wait: Wait): void {
    if (!this.isAnimated) this.#line(describeWait(wait));
    else this.#begin();
    this.#wait = { reason: wait.reason, until: this.now() + wait.seconds * 1000 };
  }

  /** Removes the progress display, so that other output can follow. */
  stop(): void {
    this.#cancel?.();
    if (this.#cancel !== undefined) this.#clear();
    this.#cancel = undefined;
  }

  describe(): string {
    return `${this.#stack}${this.#described()}`;
  }

  #described(): string {
    const requests = counted(this.#requests, "request");
    if (this.#latest === undefined) return this.#requests === 0 ? "Working..." : `Reading... ${requests}`;
    const { phase, done, total, last } = this.#latest;
    const sent = this.#requests === 0 ? "" : `, ${requests}`;
    return `${PHASES[phase]}... ${done} of ${total}${sent}${this.#remaining()}${last === undefined ? "" : `: ${last}`}`;
  }

  /** Returns a text with the remaining time. The text assumes that the phase continues at its average pace, including waits. */
  #remaining(): string {
    const { done, total } = this.#latest!;
    const elapsed = this.now() - this.#first.at;
    const completed = done - this.#first.done;
    if (elapsed < LEAST.milliseconds || completed < LEAST.objects || done >= total) return "";
    const seconds = Math.ceil((((total - done) / completed) * elapsed) / 1000);
    return `, about ${seconds < MANY_SECONDS ? `${seconds}s` : `${Math.ceil(seconds / 60)}min`} left`;
  }

  #begin(): void {
    if (this.#cancel !== undefined) return;
    const { log, lines, animated } = INTERVAL;
    const interval = this.terminal.err.isTerminal ? lines : log;
    this.#cancel = this.terminal.every(this.isAnimated ? animated : interval, () => this.#show());
    if (this.isAnimated) this.#show();
  }

  #show(): void {
    const { err } = this.terminal;
    const seconds = Math.ceil((this.#wait.until - this.now()) / 1000);
    const isWaiting = this.isAnimated && seconds > 0;
    const wait = isWaiting ? `${describeWait({ seconds, reason: this.#wait.reason })} ` : "";
    const text = oneLine(`${wait}${this.describe()}`);
    if (this.isAnimated) err.exact(`${CLEAR}${text.slice(0, (err.columns ?? 80) - 1)}`);
    else err.line(text);
  }

  #line(text: string): void {
    this.#clear();
    this.terminal.err.line(oneLine(text));
  }

  #clear(): void {
    if (this.isAnimated) this.terminal.err.exact(CLEAR);
  }
}
