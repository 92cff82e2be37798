import type { EngineEvent } from "../../../engine";
import type { Wait } from "../../stacks/waits";

/** Shows that something goes on while a phase lasts. */
export interface Progress {
  event(event: Exclude<EngineEvent, { kind: "warned" }>): void;
  /** A request was sent. */
  requested(): void;
  waiting(wait: Wait): void;
  /** Ends what is shown, so that other things can be written. */
  settle(): Promise<void>;
}
