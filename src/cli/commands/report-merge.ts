import { type Diagnostic, error } from "../../diagnostics";
import { refuseUnwritable } from "../arguments/report-destinations";
import type { ReportMergeArguments } from "../arguments/report-merge";
import type { Report } from "../document/model";
import { styleFor } from "../printing/style";
import { allObjects } from "../reports/counts";
import { headline } from "../reports/formats/summary";
import { writeReport } from "../reports/write";
import { exitCodeOf, readReports } from "../run/read-reports";
import { redactor } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "../views/failure";
import { jsonEvent } from "../views/json/events";

/** Joins JSON reports into one, and writes it in the requested formats. */
export async function mergeIntoReport(args: ReportMergeArguments, terminal: Terminal): Promise<number> {
  const { folder, env, out } = terminal;
  for (const destination of args.reports) refuseUnwritable(destination, folder);
  const report = await readReports(args.files, terminal);
  // Addresses are masked as the jobs masked them.
  await writeReport(report, args.reports, { folder, showEmails: true, redact: redactor(env) });
  reportDiagnostics(missingOf(report), terminal, args);
  const text = headline(report);
  const { length: objects } = allObjects(report);
  const counts = { command: report.command, result: report.result, reports: args.files.length, objects };
  if (args.json) out.line(JSON.stringify(jsonEvent("report_merge_summary", text, { merged: counts })));
  else out.lines([styleFor(out, terminal, args.color).bold(text)]);
  return exitCodeOf(report, args.detailedExitCode);
}

/** What the merge itself found. */
const missingOf = ({ stacks }: Report): Diagnostic[] =>
  stacks
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === "shard_missing")
    .map(({ summary, detail }) => error({ code: "shard_missing", summary, detail }));
