import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { FileProblem, notAFile, systemCode } from "../../files";
import { type Given, oneOf, option, repeatable, under } from "./option";

interface Format {
  /** The file extension that stands for it. */
  readonly extension: string;
  /** What the help says behind the extension. */
  readonly note?: string;
}

/** The formats of reports, in the order of the help. `reports/write.ts` has their writers. */
export const FORMATS = {
  markdown: { extension: ".md" },
  html: { extension: ".html" },
  junit: { extension: ".xml", note: " (JUnit)" },
  widget: { extension: ".widget.json" },
  json: { extension: ".json" },
} satisfies Readonly<Record<string, Format>>;

export type ReportFormat = keyof typeof FORMATS;

const ALL = Object.entries(FORMATS) as readonly (readonly [ReportFormat, Format])[];

/** The format of a file, by its extension; the longest extension decides. */
export const formatOf = (file: string): ReportFormat | undefined =>
  ALL.filter(([, { extension }]) => file.toLowerCase().endsWith(extension)).sort(
    ([, one], [, other]) => other.extension.length - one.extension.length,
  )[0]?.[0];

export const FORMAT_NAMES = ALL.map(([name]) => name);

/** The extensions as the help lists them. */
const EXTENSIONS = ALL.map(([, { extension, note = "" }]) => `${extension}${note}`);

/** A file to write a report to. */
export interface Destination {
  readonly file: string;
  readonly format: ReportFormat;
}

/** The destination of a report. Without `format`, the file extension determines the format. */
function destinationOf(file: string, format: ReportFormat | undefined): Destination {
  const known = format ?? formatOf(file);
  if (known !== undefined) return { file, format: known };
  return fail({
    code: "invalid_arguments",
    summary: "Unknown report format",
    detail: `The extension of ${JSON.stringify(file)} names no format: use ${EXTENSIONS.join(", ")}, or give --report-format.`,
  });
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

export const REPORTS = under("Reports:", {
  report: repeatable(
    "--report <file>",
    `write a report; the file extension sets the format: ${EXTENSIONS.join(", ")}; may be given more than once`,
  ),
  reportFormat: oneOf(
    "--report-format <format>",
    "format of the reports, regardless of the file extension",
    FORMAT_NAMES,
  ),
  reportEmails: option("--report-emails", "include e-mail addresses in reports (masked by default)"),
});

/** The reports to write. */
export interface ReportArguments {
  readonly reports: readonly Destination[];
  /** Whether reports contain e-mail addresses in clear. */
  readonly reportEmails: boolean;
}

export const readReports = ({
  report,
  reportFormat,
  reportEmails,
}: Given<typeof REPORTS>): ReportArguments => ({
  reports: report.map((file) => destinationOf(file, reportFormat)),
  reportEmails,
});
