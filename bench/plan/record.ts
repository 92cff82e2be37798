import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Case, Measurements } from "./model";

/** A case that was measured, as it stands in a file: one JSON object a line. */
export interface RecordedCase {
  readonly collection: string;
  readonly count: number;
  readonly latency: number;
  readonly engine: string;
  /** What measured it, and on what. */
  readonly program: string;
  readonly machine: string;
  /** Of the machine, when it began. */
  readonly load: number;
  readonly measurements: Measurements;
}

export const recordOf = (
  { collection, count, latency, engine }: Case,
  rest: Pick<RecordedCase, "program" | "machine" | "load" | "measurements">,
): RecordedCase => ({ collection: collection.name, count, latency, engine, ...rest });

export const appendRecord = (file: string, record: RecordedCase): void =>
  appendFileSync(file, `${JSON.stringify(record)}\n`);

/** What a file holds; nothing where there is none. */
export const readRecords = (file: string): RecordedCase[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as RecordedCase)
    : [];

/** What was recorded of a case, the last one of each step; nothing where a step that it asks for is missing. */
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
