import type { EngineEvent } from "../../../engine/events";
import type { Terminal } from "../../terminal";
import { LineProgress } from "./line-progress";

/** Shows that something goes on while a phase lasts. */
export interface Progress {
  event(event: EngineEvent): void;
  /** Ends what is shown, so that other things can be written. */
  settle(): Promise<void>;
}

/** Moving on a terminal; elsewhere plain lines on stderr, few of them. */
export function createProgress(terminal: Terminal): Progress {
  if (!terminal.err.isTerminal || !terminal.out.isTerminal) return new LineProgress(terminal.err);
  // Loaded here: only a terminal needs the library behind it.
  const { AnimatedProgress } = require("./animated-progress") as typeof import("./animated-progress");
  return new AnimatedProgress();
}
