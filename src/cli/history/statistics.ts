import type { Drift } from "./trace";

/** Times to repair, in milliseconds. */
export interface RepairTimes {
  readonly count: number;
  /** The middle one, or the mean of the two in the middle. */
  readonly median: number;
  /** The smallest time that nine of ten repairs did not exceed. */
  readonly p90: number;
}

export function repairTimes(drifts: readonly Drift[]): RepairTimes | undefined {
  const times = drifts.flatMap(timeToRepair).sort((one, other) => one - other);
  if (times.length === 0) return undefined;
  const middle = (times.length - 1) / 2;
  return {
    count: times.length,
    median: (times[Math.floor(middle)]! + times[Math.ceil(middle)]!) / 2,
    p90: times[Math.ceil(times.length * 0.9) - 1]!,
  };
}

/** From the run that found a drift to the one that found it repaired; nothing for drifts that are open or ended otherwise. */
export const timeToRepair = ({ openedAt, ended }: Drift): number[] =>
  ended?.how === "repaired" ? [ended.at - openedAt] : [];

/** Drifts of a project or group. */
export interface ContainerCount {
  /** A full path, or an id; empty for objects of no project or group. */
  readonly name: string;
  readonly url: string | undefined;
  readonly total: number;
  readonly open: number;
}

/** The projects and groups with drift, those with most first. */
export function countByContainer(drifts: readonly Drift[]): ContainerCount[] {
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

/** The classes of ages and times to repair: from the limit of the one before, up to this one. */
const CLASSES = [
  ["under 1 h", HOUR],
  ["1 to 6 h", 6 * HOUR],
  ["6 to 24 h", DAY],
  ["1 to 3 d", 3 * DAY],
  ["3 to 7 d", 7 * DAY],
  ["1 to 4 w", 28 * DAY],
  ["over 4 w", Number.POSITIVE_INFINITY],
] as const;

/** The number of durations in each class. */
export const classify = (durations: readonly number[]): { readonly name: string; readonly count: number }[] =>
  CLASSES.map(([name, below], at) => {
    const from = at === 0 ? Number.NEGATIVE_INFINITY : CLASSES[at - 1]![1];
    return { name, count: durations.filter((one) => one >= from && one < below).length };
  });
