import type { Terminal } from "../../terminal/terminal";
import { LineProgress } from "./line-progress";
import type { Progress } from "./progress";

/** Animated progress on a colour terminal, occasional lines on stderr elsewhere. */
export function createProgress(terminal: Terminal, color: boolean): Progress {
  if (!color || !terminal.err.isTerminal || !terminal.out.isTerminal) return new LineProgress(terminal);
  // Loaded on use: only a terminal needs the library.
  const { AnimatedProgress }: typeof import("./animated-progress") = require("./animated-progress");
  return new AnimatedProgress(terminal);
}
