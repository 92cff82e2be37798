import { fail } from "../../diagnostics";
import type { Report } from "../document/model";
import { allObjects } from "../reports/formats/summary";
import { mergeReports } from "../reports/merge";
import { type NamedReport, ReportsDoNotFit } from "../reports/merge-fit";
import { readWholeReport, UnusableReport } from "../reports/read-report";
import { readNamed, type Terminal } from "../terminal/terminal";

/**
 * Reads the JSON reports of one run, and joins them.
 *
 * @throws DiagnosticError `report_unusable`, `reports_do_not_fit`
 */
export async function readReports(
  [first, ...more]: readonly [string, ...string[]],
  terminal: Terminal,
): Promise<Report> {
  return merged([
    await read(first, terminal),
    ...(await Promise.all(more.map((file) => read(file, terminal)))),
  ]);
}

async function read(file: string, terminal: Terminal): Promise<NamedReport> {
  const { bytes, name } = await readNamed(file, "report_unusable", terminal);
  try {
    return { file: name, report: readWholeReport(bytes.toString("utf8")) };
  } catch (problem) {
    if (!(problem instanceof UnusableReport)) throw problem;
    return fail({
      code: "report_unusable",
      summary: "Report can't be used",
      detail: `${JSON.stringify(name)} can't be joined: ${problem.message}. Give the JSON reports of \`steward plan\` or \`steward drift\` (--report FILE.json).`,
    });
  }
}

function merged(all: readonly [NamedReport, ...NamedReport[]]): Report {
  try {
    return mergeReports(all);
  } catch (problem) {
    if (!(problem instanceof ReportsDoNotFit)) throw problem;
    return fail({
      code: "reports_do_not_fit",
      summary: "Reports are not of one run",
      detail: `${problem.message} Nothing was written. Give the reports of the jobs of one run, each once.`,
    });
  }
}

/** The exit code of the run that a report is of. */
export function exitCodeOf(report: Report, detailedExitCode: boolean): number {
  const { command, result } = report;
  if (result === "failed") return 1;
  if (result === "clean" || command === "apply" || command === "destroy") return 0;
  if (command === "plan") return detailedExitCode ? 2 : 0;
  return allObjects(report).some(isOpenDrift) ? 2 : 0;
}

const isOpenDrift = ({ status, repaired }: Report["stacks"][number]["objects"][number]): boolean =>
  status === "unmanaged" || ((status === "changed" || status === "vanished") && repaired !== true);
