import type { EngineEvent } from "../../../engine/events";

type ProgressEvent = Extract<EngineEvent, { kind: "progress" }>;

const PHASES = { refresh: "Refreshing state", apply: "Applying changes" } as const;

/** How far the phase under way is. */
export class PhaseCount {
  #latest: Pick<ProgressEvent, "phase" | "done" | "total"> | undefined;

  update({ phase, done, total }: ProgressEvent): void {
    this.#latest = { phase, done, total };
  }

  describe(): string {
    if (this.#latest === undefined) return "Working...";
    const { phase, done, total } = this.#latest;
    return `${PHASES[phase]}... ${done} of ${total}`;
  }
}
