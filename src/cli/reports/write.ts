import { stat } from "node:fs/promises";
import path from "node:path";
import { writeStream, writeUserFile } from "../../files";

import { type Destination, unwritable } from "../arguments/reports";
import type { Report } from "../document/model";
import { FORMATS } from "./report-formats";
import { maskEmails, printableLines, printableReport } from "./safe-report";

interface WriteOptions {
  /** The folder that relative paths refer to. */
  readonly folder: string;
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
  { folder, hasEmails, redact }: WriteOptions,
): Promise<void> {
  const shown = hasEmails ? report : maskEmails(report);
  for (const { file, format } of destinations) {
    const { load, isData } = FORMATS[format]!;
    const text = printableLines(redact(load()(isData ? shown : printableReport(shown))));
    await writeTo(path.resolve(folder, file), text).catch((problem) => unwritable(file, problem));
  }
}

/** Replaces a file, or writes to a pipe or a device. */
export async function writeTo(target: string, text: string): Promise<void> {
  const existing = await stat(target).catch(() => undefined);
  // Pipes and devices are written to. Only a regular file is replaced.
  if (existing !== undefined && !existing.isFile()) return writeStream(target, text);
  await writeUserFile(target, text, "anyone");
}
