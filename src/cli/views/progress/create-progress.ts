import type { EngineEvent } from "../../../engine";
import { oneLine } from "../../../text";
import type { Wait } from "../../stacks/interruption";
import type { Terminal } from "../../terminal/terminal";
import { describeFully, describeWait } from "../summary";
import { PhaseCount, type Progress } from "./progress";

/** The interval between progress lines of a long phase. */
const INTERVAL_MS = 5000;

type LineTerminal = Pick<Terminal, "every"> & { readonly err: Pick<Terminal["err"], "line"> };

/**
 * Progress without animation: a line when a change starts and completes, and periodic lines for long phases.
 */
export class LineProgress implements Progress {
  readonly #count: PhaseCount;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly terminal: LineTerminal,
    now: () => number = Date.now,
  ) {
    this.#count = new PhaseCount(now);
  }

  stack(name: string | undefined): void {
    this.#count.start(name);
  }

  event(event: Exclude<EngineEvent, { kind: "warned" }>): void {
    this.#begin();
    if (event.kind === "progress") this.#count.update(event);
    else if (event.kind === "settled" || event.kind.startsWith("apply_")) this.#line(describeFully(event));
  }

  requested(): void {
    this.#begin();
    this.#count.requested();
  }

  waiting(wait: Wait): void {
    this.#line(describeWait(wait));
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #begin(): void {
    this.#cancel ??= this.terminal.every(INTERVAL_MS, () => this.#line(this.#count.describe()));
  }

  #line(text: string): void {
    this.terminal.err.line(oneLine(text));
  }
}

/** Animated progress on a colour terminal, occasional lines on stderr elsewhere. */
export function createProgress(terminal: Terminal, color: boolean): Progress {
  if (!color || !terminal.err.isTerminal || !terminal.out.isTerminal) return new LineProgress(terminal);
  // Loaded on use: only a terminal needs the library.
  const { AnimatedProgress }: typeof import("./animated-progress") = require("./animated-progress");
  return new AnimatedProgress(terminal);
}
