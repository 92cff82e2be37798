import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Case, Measurements } from "./model";

/** A measured case in the form that a file contains. Each line of the file is one case in JSON. */
export interface RecordedCase {
  readonly collection: string;
  readonly count: number;
  readonly latency: number;
  readonly engine: string;
  /** The program that ran the case. `machine` describes the computer. */
  readonly program: string;
  readonly machine: string;
  /** The load of the machine before the case. */
  readonly load: number;
  readonly measurements: Measurements;
}

export const recordOf = (
  { collection, count, latency, engine }: Case,
  rest: Pick<RecordedCase, "program" | "machine" | "load" | "measurements">,
): RecordedCase => ({ collection: collection.name, count, latency, engine, ...rest });

export const appendRecord = (file: string, record: RecordedCase): void =>
  appendFileSync(file, `${JSON.stringify(record)}\n`);

/** Reads the cases in a file. Returns no cases if the file does not exist. */
export const readRecords = (file: string): RecordedCase[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as RecordedCase)
    : [];

/**
 * Returns the recorded measurements of a case. If a step was recorded several times, the last record counts. Returns
 * undefined if a step is missing.
 */
export function measuredOf(records: readonly RecordedCase[], one: Case): Measurements | undefined {
  const own = records.filter(
    ({ collection, count, latency, engine }) =>
      collection === one.collection.name &&
      count === one.count &&
      latency === one.latency &&
      engine === one.engine,
  );
  const all: Measurements = Object.assign({}, ...own.map(({ measurements }) => measurements));
  return one.steps.every((step) => all[step] !== undefined) ? all : undefined;
}
