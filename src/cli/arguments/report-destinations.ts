import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { FileProblem, notAFile, systemCode } from "../../files";

/** The formats by the ending that says them; the longer ending comes first. */
const ENDINGS = [
  [".widget.json", "widget"],
  [".json", "json"],
  [".md", "markdown"],
  [".xml", "junit"],
] as const;

export const REPORT_FORMATS = ["markdown", "junit", "widget", "json"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** One file that a report is written to. */
export interface Destination {
  readonly file: string;
  readonly format: ReportFormat;
}

/** Where a report goes, and in which format: the ending says it, unless `format` does. */
export function destinationOf(file: string, format: ReportFormat | undefined): Destination {
  const known = format ?? ENDINGS.find(([ending]) => file.toLowerCase().endsWith(ending))?.[1];
  if (known !== undefined) return { file, format: known };
  return fail({
    code: "invalid_arguments",
    summary: "Unknown report format",
    detail: `The extension of ${JSON.stringify(file)} names no format: use ${ENDINGS.map(([ending]) => ending).join(", ")}, or give --report-format.`,
  });
}

/** Refuses a place that could not be written to when the work is done. */
export function refuseUnwritable({ file }: Destination, folder: string): void {
  const place = path.resolve(folder, file);
  try {
    accessSync(path.dirname(place), constants.W_OK);
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) throw notAFile("a folder");
  } catch (problem) {
    unwritable(file, problem);
  }
}

function whyUnwritable(problem: unknown): string {
  if (problem instanceof FileProblem) return `${problem.message}. Correct the path`;
  const reason = systemCode(problem);
  if (reason === "ENOENT") return "its folder does not exist. Create the folder";
  if (reason === "ENXIO") return "it is a pipe without a reader, or a socket. Start the reader first";
  return `the file system refused (${reason ?? String(problem)}). Give the right to write there, or make room`;
}

/** A report that can't be written, with what the file system said. */
export function unwritable(file: string, problem: unknown): never {
  const why = whyUnwritable(problem);
  return fail({
    code: "report_unwritable",
    summary: "Report can't be written",
    detail: `${JSON.stringify(file)} can't be written: ${why}, or choose another place with --report.`,
  });
}
