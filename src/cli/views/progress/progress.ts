import type { EngineEvent } from "../../../engine/events";

/** Shows that something goes on while a phase lasts. */
export interface Progress {
  event(event: EngineEvent): void;
  /** Ends what is shown, so that other things can be written. */
  settle(): Promise<void>;
}
