// Shows the processor time of test runs in the gate's table. These times never fail the gate.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const RECORD = path.join(__dirname, "..", "test-times.json");

/** The test times that were recorded on one date. */
interface Recorded {
  readonly date: string;
  /**
   * The seconds of the processor, by command. The seconds are calibrated, so that times of different machines can be
   * compared.
   */
  readonly seconds: Readonly<Record<string, number>>;
}

/** A line of the table: the time of the tests of one command. */
export interface TestTime {
  readonly name: string;
  readonly seconds: number;
  /** The times of the same command that were recorded earlier, newest first. */
  readonly before: readonly { readonly date: string; readonly seconds: number }[];
}

/** Returns the sum of the seconds in a file. A test run writes the file if STEWARD_TEST_TIMES has its path. */
function secondsOf(file: string): number {
  const suites: readonly { seconds: number; loading: number }[] = JSON.parse(readFileSync(file, "utf8"));
  return suites.reduce((sum, { seconds, loading }) => sum + seconds + loading, 0);
}

const readRecord = (): readonly Recorded[] => JSON.parse(readFileSync(RECORD, "utf8"));

/**
 * Reads test times from arguments of the form `COMMAND=FILE`.
 * @throws Error if an argument has another form or a file cannot be read
 */
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

/** Appends the times to `bench/test-times.json`. */
export function recordTestTimes(times: readonly TestTime[], date: string): void {
  const seconds = Object.fromEntries(times.map((time) => [time.name, Math.round(time.seconds)]));
  writeFileSync(RECORD, `${JSON.stringify([...readRecord(), { date, seconds }], undefined, 2)}\n`);
}

/** Describes the change since the last recorded time, such as `+4 % since 2026-11-28`. */
export function trendOf({ seconds, before }: TestTime): string {
  const [last] = before;
  if (last === undefined) return "first one";
  const percent = Math.round((seconds / last.seconds - 1) * 100);
  return `${percent < 0 ? "" : "+"}${percent} % since ${last.date}`;
}
