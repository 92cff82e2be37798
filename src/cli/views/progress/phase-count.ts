import type { EngineEvent } from "../../../engine";

type ProgressEvent = Extract<EngineEvent, { kind: "progress" }>;

const PHASES = { refresh: "Refreshing state", apply: "Applying changes" } as const;

/** Before so much of a phase is over nothing can be told of its end. */
const LEAST_MS = 3000;

/** How far the phase under way is, how many requests were sent, and how long it may still take. */
export class PhaseCount {
  readonly #now: () => number;
  #latest: Pick<ProgressEvent, "phase" | "done" | "total"> | undefined;
  #requests = 0;
  #first = { phase: "", done: 0, at: 0 };

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  update({ phase, done, total }: ProgressEvent): void {
    const at = this.#now();
    if (this.#first.phase !== phase) this.#first = { phase, done, at };
    this.#latest = { phase, done, total };
  }

  requested(): void {
    this.#requests++;
  }

  describe(): string {
    const requests = this.#requests === 1 ? "1 request" : `${this.#requests} requests`;
    if (this.#latest === undefined) return this.#requests === 0 ? "Working..." : `Working... ${requests}`;
    const { phase, done, total } = this.#latest;
    return `${PHASES[phase]}... ${done} of ${total}${this.#requests === 0 ? "" : `, ${requests}`}${this.#remaining()}`;
  }

  /** As long as the rest takes at the pace of the phase so far, its waits included. */
  #remaining(): string {
    const { done, total } = this.#latest!;
    const elapsed = this.#now() - this.#first.at;
    const worked = done - this.#first.done;
    if (elapsed < LEAST_MS || worked <= 0 || done >= total) return "";
    return `, about ${Math.ceil((((total - done) / worked) * elapsed) / 1000)}s left`;
  }
}
