import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { FileProblem, notAFile, systemCode } from "../../files";
import type { CommandLine } from "./command-line";
import { type Given, invalid, oneOf, option, repeatable, under } from "./option";

/** A format of reports, as the command line names it. */
export interface ReportFormat {
  /** The file extension that stands for it. */
  readonly extension: string;
  /** What the help says behind the extension. */
  readonly note?: string;
}

/** The formats by their names, in the order of the help. */
type ReportFormats = Readonly<Record<string, ReportFormat>>;

/** The format of a file, by its extension; the longest extension decides. */
export const formatOf = (file: string, formats: ReportFormats): string | undefined =>
  Object.entries(formats)
    .filter(([, { extension }]) => file.toLowerCase().endsWith(extension))
    .sort(([, one], [, other]) => other.extension.length - one.extension.length)[0]?.[0];

/** The extensions as the help lists them. */
const extensionsOf = (formats: ReportFormats): string =>
  Object.values(formats)
    .map(({ extension, note = "" }) => `${extension}${note}`)
    .join(", ");

/** A file to write a report to. */
export interface Destination {
  readonly file: string;
  /** The name of the format. */
  readonly format: string;
}

/** The destination of a report. Without `format`, the file extension determines the format. */
function destinationOf(file: string, formats: ReportFormats, format = formatOf(file, formats)): Destination {
  if (format !== undefined) return { file, format };
  return invalid(
    "Unknown report format",
    `The extension of ${JSON.stringify(file)} names no format: use ${extensionsOf(formats)}, or give --report-format.`,
  );
}

/** The option that names the file. */
type DestinationOption = "--report" | "--out";

/** Refuses a path that could not be written to at the end of the run. */
export function refuseUnwritable(
  { file }: Pick<Destination, "file">,
  folder: string,
  option: DestinationOption = "--report",
): void {
  const place = path.resolve(folder, file);
  try {
    accessSync(path.dirname(place), constants.W_OK);
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) throw notAFile("a folder");
  } catch (problem) {
    unwritable(file, problem, option);
  }
}

function whyUnwritable(problem: unknown): string {
  if (problem instanceof FileProblem) return `${problem.message}. Correct the path`;
  const reason = systemCode(problem);
  if (reason === "ENOENT") return "its folder does not exist. Create the folder";
  if (reason === "ENXIO") return "it is a pipe without a reader, or a socket. Start the reader first";
  return `the file system refused (${reason ?? String(problem)}). Check permissions and free space`;
}

/** The error for an unwritable report, with the reason from the file system. */
export function unwritable(file: string, problem: unknown, option: DestinationOption = "--report"): never {
  const why = whyUnwritable(problem);
  return fail({
    code: "report_unwritable",
    summary: "Report can't be written",
    detail: `${JSON.stringify(file)} can't be written: ${why}, or choose another place with ${option}.`,
  });
}

/** The reports to write. */
export interface ReportArguments {
  readonly reports: readonly Destination[];
  /** Whether reports contain e-mail addresses in clear. */
  readonly reportEmails: boolean;
}

/** The command line of a command that writes reports as well, in these formats. */
export function withReports<A>(
  line: CommandLine<A>,
  formats: ReportFormats,
): CommandLine<A & ReportArguments> {
  const options = under("Reports:", {
    report: repeatable(
      `--report <file>: write a report; the file extension sets the format: ${extensionsOf(formats)}; may be given more than once`,
    ),
    reportFormat: oneOf(
      "--report-format <format>: format of the reports, regardless of the file extension",
      Object.keys(formats),
    ),
    reportEmails: option("--report-emails: include e-mail addresses in reports (masked by default)"),
  });
  return {
    ...line,
    options: { ...line.options, ...options },
    read: ({ report, reportFormat, reportEmails, ...given }) => {
      const own = { report, reportFormat, reportEmails } as Given<typeof options>;
      const reports = own.report.map((file) => destinationOf(file, formats, own.reportFormat));
      return { ...line.read(given), reports, reportEmails: own.reportEmails };
    },
  };
}
