import type { LoadedReports, SkippedFile } from "./load";
import { type ContainerCount, countByContainer, type RepairTimes, repairTimes } from "./statistics";
import { type Drift, type Point, trace } from "./trace";

/** The drift of many runs. Times are in milliseconds. */
export interface History extends Pick<LoadedReports, "applies" | "others" | "copies"> {
  /** The first and the last drift run. */
  readonly from: number;
  readonly to: number;
  /** One for each drift run, by time. */
  readonly points: readonly Point[];
  readonly drifts: readonly Drift[];
  /** The open ones, the oldest first. */
  readonly open: readonly Drift[];
  /** Those that ended, the newest end first. */
  readonly ended: readonly Drift[];
  /** Of the repaired ones; undefined if there are none. */
  readonly repairs: RepairTimes | undefined;
  /** Projects and groups with drift, those with most first. */
  readonly containers: readonly ContainerCount[];
  readonly skipped: readonly SkippedFile[];
  /** The web pages of runs, by their times. */
  readonly pages: ReadonlyMap<number, string>;
}

export function historyOf({ facts, applies, others, copies, skipped }: LoadedReports): History {
  const { points, drifts } = trace(facts);
  const open = drifts.filter(({ ended }) => ended === undefined);
  const ended = drifts
    .filter((one) => one.ended !== undefined)
    .sort((one, other) => other.ended!.at - one.ended!.at);
  return {
    from: points[0]!.time,
    to: points.at(-1)!.time,
    points,
    drifts,
    open,
    ended,
    repairs: repairTimes(drifts),
    containers: countByContainer(drifts),
    applies,
    others,
    copies,
    skipped,
    pages: new Map(facts.runs.flatMap(({ time, page }) => (page === undefined ? [] : [[time, page]]))),
  };
}

/** The open drifts of a point, with those that no report describes. */
export const openAt = ({ changed, vanished, undeclared, undescribed }: Point): number =>
  changed + vanished + undeclared + undescribed;
