import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";
import { refuseUnwritable } from "../arguments/report-destinations";
import type { ReportMergeArguments } from "../arguments/report-merge";
import { styleFor } from "../printing/style";
import { allObjects } from "../reports/counts";
import { headline } from "../reports/formats/summary";
import { mergeReports } from "../reports/merge";
import { type NamedReport, ReportsDoNotFit } from "../reports/merge-fit";
import type { Report } from "../reports/model";
import { readWholeReport, UnusableReport } from "../reports/read-report";
import { writeReport } from "../reports/write";
import { readNamed } from "../stacks/named-input";
import { redactor } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "../views/failure";
import { jsonEvent } from "../views/json/events";

/** Joins JSON reports into one, and writes it in the requested formats. */
export async function mergeIntoReport(args: ReportMergeArguments, terminal: Terminal): Promise<number> {
  const { folder, env, out } = terminal;
  for (const destination of args.reports) refuseUnwritable(destination, folder);
  const [first, ...more] = args.files;
  const report = merged([
    await read(first, terminal),
    ...(await Promise.all(more.map((file) => read(file, terminal)))),
  ]);
  // Addresses are masked as the jobs masked them.
  await writeReport(report, args.reports, { folder, showEmails: true, redact: redactor(env) });
  reportDiagnostics(missingOf(report), terminal, args);
  const text = headline(report);
  const { length: objects } = allObjects(report);
  const counts = { command: report.command, result: report.result, reports: args.files.length, objects };
  if (args.json) out.line(JSON.stringify(jsonEvent("report_merge_summary", text, { merged: counts })));
  else out.lines([styleFor(out, terminal, args.color).bold(text)]);
  return exitCodeOf(report, args);
}

async function read(file: string, terminal: Terminal): Promise<NamedReport> {
  const { bytes, name } = await readNamed(file, "report_unusable", terminal);
  try {
    return { file: name, report: readWholeReport(bytes.toString("utf8")) };
  } catch (problem) {
    if (!(problem instanceof UnusableReport)) throw problem;
    throw new DiagnosticError(
      error({
        code: "report_unusable",
        summary: "Report can't be used",
        detail: `${JSON.stringify(name)} can't be joined: ${problem.message}. Give the JSON reports of \`steward plan\` or \`steward drift\` (--report FILE.json).`,
      }),
    );
  }
}

function merged(all: readonly [NamedReport, ...NamedReport[]]): Report {
  try {
    return mergeReports(all);
  } catch (problem) {
    if (!(problem instanceof ReportsDoNotFit)) throw problem;
    throw new DiagnosticError(
      error({
        code: "reports_do_not_fit",
        summary: "Reports are not of one run",
        detail: `${problem.message} Nothing was written. Give the reports of the jobs of one run, each once.`,
      }),
    );
  }
}

/** What the merge itself found. */
const missingOf = ({ stacks }: Report): Diagnostic[] =>
  stacks
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === "shard_missing")
    .map(({ summary, detail }) => error({ code: "shard_missing", summary, detail }));

/** As the command of the reports would have exited. */
function exitCodeOf(report: Report, { detailedExitCode }: ReportMergeArguments): number {
  const { command, result } = report;
  if (result === "failed") return 1;
  if (result === "clean" || command === "apply" || command === "destroy") return 0;
  if (command === "plan") return detailedExitCode ? 2 : 0;
  return allObjects(report).some(isOpenDrift) ? 2 : 0;
}

const isOpenDrift = ({ status, repaired }: Report["stacks"][number]["objects"][number]): boolean =>
  status === "unmanaged" || ((status === "changed" || status === "vanished") && repaired !== true);
