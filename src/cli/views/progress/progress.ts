import type { EngineEvent } from "../../../engine";
import type { Wait } from "../../stacks/waits";

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
