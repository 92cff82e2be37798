import path from "node:path";
import type { HistoryArguments } from "../arguments/history";
import { refuseUnwritable, unwritable } from "../arguments/report-destinations";
import { findReports } from "../history/find-reports";
import { historyOf } from "../history/history";
import { loadReports } from "../history/load";
import { historyPage } from "../history/page";
import { skippedFiles, writeHistorySummary } from "../history/write-summary";
import { printableLines } from "../reports/printable";
import { writeTo } from "../reports/write";
import { redactor } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "../views/failure";

/** Writes the drift of many runs as one page. */
export async function history(args: HistoryArguments, terminal: Terminal): Promise<number> {
  const files = await findReports(args.folder, terminal.folder);
  const file = args.file ?? path.join(args.folder, "index.html");
  // Reading thousands of reports takes a while.
  refuseUnwritable({ file }, terminal.folder, "--out");
  const found = historyOf(await loadReports(files));
  reportDiagnostics(skippedFiles(found), terminal, args);
  const page = printableLines(redactor(terminal.env)(historyPage(found)));
  try {
    await writeTo(path.resolve(terminal.folder, file), page);
  } catch (problem) {
    unwritable(file, problem, "--out");
  }
  writeHistorySummary(found, file, args, terminal);
  return 0;
}
