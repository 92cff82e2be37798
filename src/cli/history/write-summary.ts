import { type Diagnostic, warning } from "../../diagnostics";
import { oneLine } from "../../text";
import type { ViewArguments } from "../arguments/command-line";
import { styleFor } from "../printing/style";
import type { Terminal } from "../terminal/terminal";
import { jsonEvent } from "../views/json/events";
import { type History, openAt } from "./history";
import { durationText } from "./page/time-text";
import type { Drift } from "./trace";

/** Files that the warning names. The page names more. */
const MAX_NAMED = 10;

/** The warning about files that are not used. */
export function skippedFiles({ skipped }: History): Diagnostic[] {
  if (skipped.length === 0) return [];
  const named = skipped.slice(0, MAX_NAMED).map(({ file, reason }) => `${JSON.stringify(file)}: ${reason}`);
  const more = skipped.length - named.length;
  return [
    warning({
      code: "history_file_skipped",
      summary: skipped.length === 1 ? "File is not used" : "Files are not used",
      detail:
        `The history is made without ${counted(skipped.length, "file")}. ${named.join("; ")}` +
        `${more > 0 ? `; and ${more} more` : ""}. Remove what is no report, and restore damaged reports.`,
    }),
  ];
}

/** Writes the result: for people a sentence and the file, and for programs an event with the numbers. */
export function writeHistorySummary(
  history: History,
  file: string,
  { json, color }: ViewArguments,
  terminal: Terminal,
): void {
  const { out } = terminal;
  if (json) {
    out.line(
      JSON.stringify(
        jsonEvent("history_summary", sentence(history), { history: historyJson(history, file) }),
      ),
    );
    return;
  }
  out.lines([styleFor(out, terminal, color).bold(sentence(history)), `Written to ${oneLine(file)}.`]);
}

function sentence({ points, repairs }: History): string {
  const open = `${counted(openAt(points.at(-1)!), "drift")} open`;
  const repaired =
    repairs === undefined
      ? "none repaired"
      : `${repairs.count} repaired (median ${durationText(repairs.median)}, 90 % within ${durationText(repairs.p90)})`;
  return `History of ${counted(points.length, "drift run")}: ${open}, ${repaired}.`;
}

/** The numbers of the page. Durations are in seconds, times in UTC. */
function historyJson(history: History, file: string) {
  const { from, to, points, drifts, open, repairs, containers, applies, copies, skipped } = history;
  return {
    file,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    runs: points.length,
    failed_runs: points.filter(({ hasFailed }) => hasFailed).length,
    applies,
    copies,
    drifts: drifts.length,
    open: openAt(points.at(-1)!),
    repaired: repairs?.count ?? 0,
    ...(repairs !== undefined && {
      seconds_to_repair: { median: repairs.median / 1000, p90: repairs.p90 / 1000 },
    }),
    projects: containers.map(({ name, total, open }) => ({ project: name, drifts: total, open })),
    open_drifts: open.map((drift) => openDriftJson(drift, to)),
    skipped,
  };
}

function openDriftJson({ difference, openedAt, mayBeOlder, seenAt }: Drift, to: number) {
  const { object, kind, attribute } = difference;
  const { project, group } = object.place;
  return {
    ...(object.stack != null && { stack: object.stack }),
    address: object.address,
    type: object.type,
    ...(project !== undefined && { project }),
    ...(group !== undefined && { group }),
    kind: kind === "undeclared" ? "unmanaged" : kind,
    ...(attribute !== undefined && { attribute }),
    opened_at: new Date(openedAt).toISOString(),
    may_be_older: mayBeOlder,
    last_found_at: new Date(seenAt).toISOString(),
    age_seconds: (to - openedAt) / 1000,
  };
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
