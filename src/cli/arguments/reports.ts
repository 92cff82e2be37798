import { type Command, Option, type OptionValues } from "commander";
import { underHeading } from "./command-line";
import { type Destination, destinationOf, REPORT_FORMATS, type ReportFormat } from "./report-destinations";

/** The reports to write. */
export interface ReportArguments {
  readonly reports: readonly Destination[];
  /** Whether reports contain e-mail addresses in clear. */
  readonly reportEmails: boolean;
}

export const defineReports = underHeading("Reports:", (command: Command) =>
  command
    .addOption(
      new Option(
        "--report <file>",
        "write a report; the file extension sets the format: .md, .html, .xml (JUnit), .widget.json, .json; may be given more than once",
      ).argParser((file: string, before: readonly string[] = []) => [...before, file]),
    )
    .addOption(
      new Option(
        "--report-format <format>",
        "format of the reports, regardless of the file extension",
      ).choices(REPORT_FORMATS),
    )
    .option("--report-emails", "include e-mail addresses in reports (masked by default)"),
);

export function readReports(options: OptionValues): ReportArguments {
  const files: readonly string[] = options["report"] ?? [];
  const format: ReportFormat | undefined = options["reportFormat"];
  return {
    reports: files.map((file) => destinationOf(file, format)),
    reportEmails: options["reportEmails"] === true,
  };
}
