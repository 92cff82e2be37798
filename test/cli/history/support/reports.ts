import { createHash } from "node:crypto";
import { type Drift, type Trace, Tracer } from "../../../../src/cli/history/trace";
import { readReport } from "../../../../src/cli/reports/read-report";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
/** Returns the time that is a number of hours after the first run. */
export const at = (hours: number): number => START + hours * HOUR;

const fingerprintOf = (...facts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 20);

/** The result for one object in a drift report: in sync, vanished, failed, or the names of the changed attributes. */
export type Cell = "in_sync" | "vanished" | "failed" | readonly string[];

/** Returns an object of a report, in the form that the command writes. */
export function object(stack: string | null, address: string, cell: Cell, more: object = {}) {
  const isDrift = cell === "vanished" || Array.isArray(cell);
  return {
    address,
    type: address.split(".")[0],
    project: "acme/shop",
    id: `1:${address}`,
    status: Array.isArray(cell) ? "changed" : cell,
    ...(cell === "failed" && { unchecked: true }),
    ...(isDrift && { fingerprint: fingerprintOf(stack, address, cell) }),
    attributes: Array.isArray(cell)
      ? cell.map((name) => ({ name, sensitive: false, before: 30, after: 40 }))
      : [],
    diagnostics: [],
    ...more,
  };
}

/** Returns an object whose drift the run knows from an earlier run. */
export const known = (stack: string | null, address: string, cell: Cell) => ({
  ...object(stack, address, "in_sync"),
  known: true,
  fingerprint: fingerprintOf(stack, address, cell),
});

type Written = ReturnType<typeof object>;

export const stack = (name: string | null, objects: readonly Written[], more: object = {}) => ({
  name,
  objects,
  outputs: [],
  unchecked: 0,
  ignored: [],
  known: 0,
  known_fingerprints: objects.filter((one) => "known" in one).map(({ fingerprint }) => fingerprint),
  diagnostics: [],
  ...more,
});

/** Returns a report, in the form that `drift --report FILE.json` writes. */
export const report = (hours: number, stacks: readonly object[], more: object = {}) => ({
  format_version: "1.4",
  steward_version: "0.2.0",
  command: "drift",
  started_at: new Date(at(hours)).toISOString(),
  finished_at: new Date(at(hours)).toISOString(),
  result: "found",
  stacks,
  ...more,
});

/** Returns the drifts of reports in chronological order. */
export function traceOf(reports: readonly object[]): Trace {
  const tracer = new Tracer();
  for (const one of reports) tracer.add(readReport(JSON.stringify(one)));
  return tracer.result();
}

/** Returns a drift as one line: its kind, its start, and how and when it ended. */
export function lineOf({ difference, openedAt, canBeOlder, ended }: Drift): string {
  const { object: of, kind, attribute } = difference;
  const hours = (time: number) => `${(time - START) / HOUR}h`;
  const since = `${canBeOlder ? "before " : ""}${hours(openedAt)}`;
  const end = ended === undefined ? "open" : `${ended.how} ${hours(ended.at)}`;
  return `${of.stack ?? "-"}/${of.address}${attribute === undefined ? "" : `.${attribute}`} ${kind} ${since}, ${end}`;
}

export const linesOf = (reports: readonly object[]): string[] => traceOf(reports).drifts.map(lineOf);
