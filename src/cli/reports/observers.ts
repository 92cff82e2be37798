import { refuseUnwritable } from "../arguments/report-destinations";
import type { ReportArguments } from "../arguments/reports";
import { redactor } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";
import { ReportCollector } from "./collector";
import type { ReportCommand } from "./model";

/**
 * The observers that write the requested reports.
 *
 * @throws DiagnosticError `report_unwritable`, before the run starts
 */
export function reportObservers(
  command: ReportCommand,
  args: ReportArguments,
  terminal: Terminal,
): RunView[] {
  const { reports, reportEmails: showEmails } = args;
  if (reports.length === 0) return [];
  const { folder, env } = terminal;
  for (const destination of reports) refuseUnwritable(destination, folder);
  return [
    new ReportCollector(command, async (report) => {
      const { writeReport }: typeof import("./write") = require("./write");
      await writeReport(report, reports, { folder, showEmails, redact: redactor(env) });
    }),
  ];
}
