import { stat } from "node:fs/promises";
import path from "node:path";
import { removeTemporaryFiles, replaceFile, resolveLinks, writeStream } from "../../files";
import { type Destination, type ReportFormat, unwritable } from "../arguments/report-destinations";
import { maskEmails } from "./mask";
import type { Report } from "./model";
import { printableLines, printableReport } from "./printable";

/** Each format's writer, loaded when it is wanted. */
const WRITERS: Readonly<Record<ReportFormat, () => (report: Report) => string>> = {
  json: () => (require("./formats/json") as typeof import("./formats/json")).jsonReport,
  widget: () => (require("./formats/json") as typeof import("./formats/json")).widgetReport,
  junit: () => (require("./formats/junit") as typeof import("./formats/junit")).junitReport,
  markdown: () => (require("./formats/markdown") as typeof import("./formats/markdown")).markdownReport,
};

interface WriteOptions {
  /** The folder that relative paths start from. */
  readonly folder: string;
  readonly showEmails: boolean;
  /** Takes secrets out of what others wrote and a diagnostic passed on. */
  readonly redact: (text: string) => string;
}

/**
 * Writes a report to every destination.
 * @throws DiagnosticError `report_unwritable`
 */
export async function writeReport(
  report: Report,
  destinations: readonly Destination[],
  { folder, showEmails, redact }: WriteOptions,
): Promise<void> {
  const shown = showEmails ? report : maskEmails(report);
  for (const { file, format } of destinations) {
    const text = printableLines(
      redact(WRITERS[format]()(format === "json" ? shown : printableReport(shown))),
    );
    try {
      await put(path.resolve(folder, file), text);
    } catch (problem) {
      unwritable(file, problem);
    }
  }
}

async function put(target: string, text: string): Promise<void> {
  const there = await stat(target).catch(() => undefined);
  // A pipe or a device is written to; only a file is replaced.
  if (there !== undefined && !there.isFile()) return writeStream(target, text);
  const file = await resolveLinks(target);
  await replaceFile(file, [text], "anyone");
  await removeTemporaryFiles([file], "gone");
}
