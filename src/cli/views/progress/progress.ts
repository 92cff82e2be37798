import type { EngineEvent } from "../../../engine";
import { counted } from "../../../text";
import type { Wait } from "../../stacks/interruption";

/** Shows progress while a phase runs. */
export interface Progress {
  /** Starts again for a stack. Its name stands before what it does; a run without several stacks names none. */
  stack(name: string | undefined): void;
  event(event: Exclude<EngineEvent, { kind: "warned" }>): void;
  /** Counts a request. */
  requested(): void;
  waiting(wait: Wait): void;
  /** Removes the progress display, so that other output can follow. */
  stop(): Promise<void>;
}

type ProgressEvent = Extract<EngineEvent, { kind: "progress" }>;

const PHASES = {
  refresh: "Refreshing state",
  apply: "Applying changes",
  list: "Reading live settings",
} as const;

/** What a phase has to have behind it before its remaining time is estimated. */
const LEAST = { milliseconds: 3000, objects: 5 };

/** Counts the progress and the requests of the current phase of a stack and estimates its remaining time. */
export class PhaseCount {
  #latest: Pick<ProgressEvent, "phase" | "done" | "total"> | undefined;
  #requests = 0;
  #first = { phase: "", done: 0, at: 0 };
  #stack: string | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  /** Starts again for a stack. */
  start(stack: string | undefined): void {
    this.#stack = stack;
    this.#latest = undefined;
    this.#requests = 0;
    this.#first = { phase: "", done: 0, at: 0 };
  }

  update({ phase, done, total }: ProgressEvent): void {
    const at = this.now();
    if (this.#first.phase !== phase) this.#first = { phase, done, at };
    this.#latest = { phase, done, total };
  }

  requested(): void {
    this.#requests++;
  }

  describe(): string {
    return this.#stack === undefined ? this.#described() : `Stack ${this.#stack}: ${this.#described()}`;
  }

  #described(): string {
    const requests = counted(this.#requests, "request");
    if (this.#latest === undefined) return this.#requests === 0 ? "Working..." : `Working... ${requests}`;
    const { phase, done, total } = this.#latest;
    return `${PHASES[phase]}... ${done} of ${total}${this.#requests === 0 ? "" : `, ${requests}`}${this.#remaining()}`;
  }

  /** Assumes the average pace of the phase so far, including its waits. */
  #remaining(): string {
    const { done, total } = this.#latest!;
    const elapsed = this.now() - this.#first.at;
    const completed = done - this.#first.done;
    if (elapsed < LEAST.milliseconds || completed < LEAST.objects || done >= total) return "";
    return `, about ${Math.ceil((((total - done) / completed) * elapsed) / 1000)}s left`;
  }
}
