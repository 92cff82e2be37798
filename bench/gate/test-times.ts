// Shows the processor time of the tests in the gate's table. It never fails the gate.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const RECORD = path.join(__dirname, "..", "test-times.json");

/** The tests of one run, by the date of a record. */
interface Recorded {
  readonly date: string;
  /** Calibrated seconds of the processor, by command. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** A line of the table. */
export interface TestTime {
  readonly name: string;
  readonly seconds: number;
  /** The recorded times of the same command, the newest first. */
  readonly before: readonly { readonly date: string; readonly seconds: number }[];
}

/** The sum of a file that STEWARD_TEST_TIMES had a run of the tests write. */
function secondsOf(file: string): number {
  const suites: readonly { seconds: number; loading: number }[] = JSON.parse(readFileSync(file, "utf8"));
  return suites.reduce((sum, { seconds, loading }) => sum + seconds + loading, 0);
}

const readRecord = (): readonly Recorded[] => JSON.parse(readFileSync(RECORD, "utf8"));

/** The times of files, each given as `COMMAND=FILE`. Throws where a file cannot be read. */
export function testTimes(given: readonly string[]): TestTime[] {
  const record = readRecord().toReversed();
  return given.map((word) => {
    const at = word.indexOf("=");
    if (at < 1) throw new Error(`"${word}" is not COMMAND=FILE.`);
    const name = word.slice(0, at);
    const before = record
      .filter(({ seconds }) => seconds[name] !== undefined)
      .map(({ date, seconds }) => ({ date, seconds: seconds[name]! }));
    return { name, seconds: secondsOf(word.slice(at + 1)), before };
  });
}

/** Adds the times to `bench/test-times.json`. */
export function recordTestTimes(times: readonly TestTime[], date: string): void {
  const seconds = Object.fromEntries(times.map((time) => [time.name, Math.round(time.seconds)]));
  writeFileSync(RECORD, `${JSON.stringify([...readRecord(), { date, seconds }], undefined, 2)}\n`);
}

/** The change since the last recorded time, such as `+4 % since 2026-11-28`. */
export function trendOf({ seconds, before }: TestTime): string {
  const [last] = before;
  if (last === undefined) return "first one";
  const percent = Math.round((seconds / last.seconds - 1) * 100);
  return `${percent < 0 ? "" : "+"}${percent} % since ${last.date}`;
}
