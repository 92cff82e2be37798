import type { Destination } from "../arguments/reports";
import type { Report } from "../document/model";
import { type OutputPlace, writeOutput } from "../outputs/write-output";
import { FORMATS } from "./report-formats";
import { maskEmails, printableLines, printableReport } from "./safe-report";

interface WriteOptions extends OutputPlace {
  readonly hasEmails: boolean;
  /** Removes secrets from text of other programs that a diagnostic quotes. */
  readonly redact: (text: string) => string;
}

/**
 * Writes a report to all destinations.
 *
 * @throws DiagnosticError `report_unwritable`
 */
export async function writeReport(
  report: Report,
  destinations: readonly Destination[],
  { hasEmails, redact, ...place }: WriteOptions,
): Promise<void> {
  const shown = hasEmails ? report : maskEmails(report);
  for (const { file, format } of destinations) {
    const { load, isData, reader: loadReader } = FORMATS[format]!;
    const text = printableLines(redact(load()(isData ? shown : printableReport(shown))));
    const read = loadReader?.();
    const reader = read === undefined ? "text" : (content: Buffer) => read(content.toString("utf8"));
    await writeOutput({ kind: "report", file, text, reader, audience: "anyone" }, place);
  }
}
