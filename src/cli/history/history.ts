import { type Diagnostic, warning } from "../../diagnostics";
import { defined } from "../../json";
import { atMost, counted, oneLine } from "../../text";
import type { ViewArguments } from "../arguments/shared-options";
import type { Terminal } from "../terminal/terminal";
import { styleFor } from "../terminal/text";
import { jsonEvent, writeResult } from "../views/json/events";
import type { LoadedReports } from "./load";
import { durationText } from "./page/time-text";
import type { Drift, Point } from "./trace";

/**
 * Returns the number of repairs, the median time to repair, and the time that nine of ten repairs did not exceed. Times are in
 * milliseconds.
 */
export function repairTimes(drifts: readonly Drift[]) {
  const times = drifts.flatMap(timeToRepair).sort((one, other) => one - other);
  if (times.length === 0) return undefined;
  const middle = (times.length - 1) / 2;
  return {
    count: times.length,
    median: (times[Math.floor(middle)]! + times[Math.ceil(middle)]!) / 2,
    p90: times[Math.ceil(times.length * 0.9) - 1]!,
  };
}

/**
 * Returns the time, in milliseconds, between the run that first found a drift and the run that found the drift repaired. The
 * result is a list, which is empty if the drift is open, or ended without a repair.
 */
export const timeToRepair = ({ openedAt, ended }: Drift): number[] =>
  ended?.how === "repaired" ? [ended.at - openedAt] : [];

/**
 * Counts the drifts in each project and group, and sorts the projects and groups by this number. Objects without a project or
 * group are counted under an empty name.
 */
function countByContainer(drifts: readonly Drift[]) {
  const counts = new Map<string, { name: string; url: string | undefined; total: number; open: number }>();
  for (const { difference, ended } of drifts) {
    const { project, group, url } = difference.object.place;
    const name = project ?? group ?? "";
    const count = counts.get(name) ?? { name, url, total: 0, open: 0 };
    count.total++;
    if (ended === undefined) count.open++;
    counts.set(name, count);
  }
  return [...counts.values()].sort(
    (one, other) => other.total - one.total || other.open - one.open || (one.name < other.name ? -1 : 1),
  );
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The classes into which the page divides the ages of open drifts and the times to repair. Each class has its upper limit. */
const CLASSES = [
  ["under 1 h", HOUR],
  ["1 to 6 h", 6 * HOUR],
  ["6 to 24 h", DAY],
  ["1 to 3 d", 3 * DAY],
  ["3 to 7 d", 7 * DAY],
  ["1 to 4 w", 28 * DAY],
  ["over 4 w", Number.POSITIVE_INFINITY],
] as const;

/** Returns the number of durations in each class of durations. */
export const classify = (durations: readonly number[]): { readonly name: string; readonly count: number }[] =>
  CLASSES.map(([name, below], at) => {
    const from = at === 0 ? Number.NEGATIVE_INFINITY : CLASSES[at - 1]![1];
    return { name, count: durations.filter((one) => one >= from && one < below).length };
  });

/** The content of the page about the drift in many runs. Times are in milliseconds. */
export type History = ReturnType<typeof historyOf>;

export function historyOf({ trace, ...loaded }: LoadedReports) {
  const { points, drifts } = trace;
  const open = drifts.filter(({ ended }) => ended === undefined);
  const ended = drifts
    .filter((one) => one.ended !== undefined)
    .sort((one, other) => other.ended!.at - one.ended!.at);
  return {
    /** The times of the first and the last drift run. */
    from: points[0]!.time,
    to: points.at(-1)!.time,
    ...trace,
    ...loaded,
    /** The open drifts, the oldest first. */
    open,
    /** The ended drifts, the newest end first. */
    ended,
    /** The times to repair; undefined if no drift was repaired. */
    repairs: repairTimes(drifts),
    containers: countByContainer(drifts),
  };
}

/** Returns the number of open drifts after a run, including drifts that no report describes. */
export const openAt = ({ changed, vanished, undeclared, undescribed }: Point): number =>
  changed + vanished + undeclared + undescribed;

/** The maximum number of files that the warning about skipped files names. */
const MAX_NAMED = 10;

/** Returns the warning about files that the history does not use. */
export function skippedFiles({ skipped }: History): Diagnostic[] {
  if (skipped.length === 0) return [];
  const named = skipped.map(({ file, reason }) => `${JSON.stringify(file)}: ${reason}`);
  return [
    warning({
      code: "history_file_skipped",
      summary: skipped.length === 1 ? "File left out of the history" : "Files left out of the history",
      detail: `${counted(skipped.length, "file")} ${skipped.length === 1 ? "was" : "were"} left out of the history. ${atMost(named, MAX_NAMED).join("; ")}. Remove files that are not reports, and restore damaged reports.`,
    }),
  ];
}

/**
 * Writes the result of the command: a sentence and the name of the file for people, or an event with the numbers for programs.
 */
export function writeHistorySummary(
  history: History,
  file: string,
  args: ViewArguments,
  terminal: Terminal,
): void {
  const text = sentence(history);
  const event = jsonEvent("history_summary", text, { history: historyJson(history, file) });
  const { bold } = styleFor(terminal.out, terminal, args.color);
  writeResult(terminal.out, args, [event], [bold(text), `Written to ${oneLine(file)}.`]);
}

function sentence({ points, repairs }: History): string {
  const open = `${counted(openAt(points.at(-1)!), "drift")} open`;
  const repaired =
    repairs === undefined
      ? "none repaired"
      : `${repairs.count} repaired (median ${durationText(repairs.median)}, 90 % within ${durationText(repairs.p90)})`;
  return `History of ${counted(points.length, "drift run")}: ${open}, ${repaired}.`;
}

/** Returns the numbers of the page as JSON. Durations are in seconds, times in UTC. */
function historyJson(history: History, file: string) {
  const { from, to, points, drifts, open, repairs, containers, copies, skipped } = history;
  return {
    file,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    runs: points.length,
    failed_runs: points.filter(({ hasFailed }) => hasFailed).length,
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

function openDriftJson({ difference, openedAt, canBeOlder, seenAt }: Drift, to: number) {
  const { object, kind, attribute } = difference;
  const { project, group } = object.place;
  const { stack, address, type } = object;
  return defined({
    stack: stack ?? undefined,
    address,
    type,
    project,
    group,
    kind: kind === "undeclared" ? "unmanaged" : kind,
    attribute,
    opened_at: new Date(openedAt).toISOString(),
    may_be_older: canBeOlder,
    last_found_at: new Date(seenAt).toISOString(),
    age_seconds: (to - openedAt) / 1000,
  });
}
