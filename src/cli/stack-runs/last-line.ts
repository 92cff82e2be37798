import { oneLine } from "../../text";
import type { Terminal } from "../terminal/terminal";

/**
 * Returns the last line of a run on a terminal, such as `Finished in 1min 20s. Report: plan.md`. Returns undefined if there is
 * no terminal, because a log adds the time to each line anyway.
 *
 * @param milliseconds the duration of the run
 */
export function lastLine(
  { out, outputs }: Pick<Terminal, "out" | "outputs">,
  milliseconds: number,
): string | undefined {
  if (!out.isTerminal) return undefined;
  const reports = (outputs?.files ?? []).flatMap(({ option, file }) => (option === "--report" ? [file] : []));
  const names = reports.map(oneLine).join(", ");
  const label = reports.length === 1 ? "Report" : "Reports";
  return `Finished in ${durationText(milliseconds)}.${reports.length === 0 ? "" : ` ${label}: ${names}`}`;
}

/** Formats a duration, such as `0.4s`, `12s` or `1min 20s`. */
function durationText(milliseconds: number): string {
  if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(1)}s`;
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}min ${seconds % 60}s`;
}
