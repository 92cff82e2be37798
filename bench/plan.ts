// Measures plans and applies of one collection: the number of requests, which the service counts, and the time. Other
// programs are measured for comparison.
import { loadavg } from "node:os";
import { machine } from "./figures";
import { about, secondsOf } from "./plan/estimate";
import type { Case } from "./plan/model";
import { appendRecord, measuredOf, readRecords, recordOf } from "./plan/record";
import { CaseReport, titleOf } from "./plan/report";
import { findRunners, type Runner } from "./plan/runners";
import { readSelection, type Selection, USAGE } from "./plan/selection";
import { tablesOf } from "./plan/tables";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function runCase(one: Case, { program, run }: Runner, record: string | undefined): Promise<void> {
  const load = loadavg()[0]!;
  const report = new CaseReport(one);
  await run(one, report.tell);
  const measurements = report.end();
  if (record !== undefined) appendRecord(record, recordOf(one, { program, machine, load, measurements }));
}

async function runCases({ cases, left, record }: Selection): Promise<void> {
  const runners = await findRunners();
  const known = record === undefined ? [] : readRecords(record);
  const wanted = cases.filter((one) => measuredOf(known, one) === undefined);
  const [open, missing] = [true, false].map((has) =>
    wanted.filter((one) => runners.has(one.engine) === has),
  ) as [Case[], Case[]];
  const time = (some: readonly Case[]): string => about(some.reduce((sum, one) => sum + secondsOf(one), 0));
  say(`beside it: ${[...runners.values()].map(({ program }) => program).join(", ")}`);
  say(`${open.length} cases, ${time(open)}; ${cases.length - wanted.length} stand in the record already`);
  const absent = [...new Set(missing.map(({ engine }) => engine))];
  if (absent.length > 0) say(`left out, as it is not installed: ${absent.join(", ")}`);
  if (left.length > 0) say(`left out, as they take longer (${time(left)}; --all has them):`);
  for (const one of left) say(`  ${titleOf(one)}`);
  for (const one of open)
    await runCase(one, runners.get(one.engine)!, record).catch((problem: unknown) => {
      say(`  FAILED: ${(problem as Error).stack}`);
      process.exitCode = 1;
    });
}

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes("--help")) return say(USAGE);
  const selection = selected(words);
  if (selection === undefined) return;
  if (selection.tables !== undefined) return say(tablesOf(selection.cases, readRecords(selection.tables)));
  await runCases(selection);
}

function selected(words: readonly string[]): Selection | undefined {
  try {
    return readSelection(words);
  } catch (problem) {
    process.stderr.write(`${(problem as Error).message}\n\n${USAGE}`);
    process.exitCode = 1;
    return undefined;
  }
}

main().catch((problem: unknown) => {
  process.stderr.write(`${(problem as Error).stack}\n`);
  process.exitCode = 1;
});
