import type { Terminal } from "../../terminal/terminal";
import { LineProgress } from "./line-progress";
import type { Progress } from "./progress";

/** Moving, and in colours, on a terminal; elsewhere plain lines on stderr, few of them. */
export function createProgress(terminal: Terminal, color: boolean): Progress {
  if (!color || !terminal.err.isTerminal || !terminal.out.isTerminal) return new LineProgress(terminal.err);
  // Loaded here: only a terminal needs the library behind it.
  const { AnimatedProgress }: typeof import("./animated-progress") = require("./animated-progress");
  return new AnimatedProgress();
}
