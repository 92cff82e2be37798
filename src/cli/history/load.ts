import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { fail } from "../../diagnostics";
import { describeFileProblem, FileProblem, readFile, systemCode } from "../../files";
import { readReport, UnusableReport } from "../reports/read-report";
import { Facts } from "./collect";

/** The JSON files of a folder. */
interface ReportFiles {
  /** The folder as the command line names it. */
  readonly name: string;
  /** Its absolute path. */
  readonly folder: string;
  /** Paths within the folder, sorted. */
  readonly files: readonly string[];
}

/**
 * Finds the JSON files in a folder and its subfolders. Hidden files and folders, and links to folders, are left out.
 *
 * @throws DiagnosticError `history_unreadable`
 */
export async function findReports(name: string, workingFolder: string): Promise<ReportFiles> {
  const folder = path.resolve(workingFolder, name);
  const files: string[] = [];
  const folders = [""];
  try {
    for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
      for (const entry of await readdir(path.join(folder, below), { withFileTypes: true })) {
        if (entry.name.startsWith(".")) continue;
        const file = path.posix.join(below, entry.name);
        if (entry.isDirectory()) folders.push(file);
        else if (entry.name.endsWith(".json")) files.push(file);
      }
    }
  } catch (problem) {
    return unreadable(name, `can't be read (${describeFileProblem(problem)})`);
  }
  return { name, folder, files: files.sort() };
}

/** The error for a folder without a drift report. */
const unreadable = (name: string, what: string): never =>
  fail({
    code: "history_unreadable",
    summary: "No drift reports to read",
    detail:
      `The folder ${JSON.stringify(name)} ${what}. Give the folder where runs of ` +
      "`steward drift --report FILE.json` put their reports.",
  });

/** A file that is not used, and why. */
export interface SkippedFile {
  /** The path within the folder. */
  readonly file: string;
  /** A clause without a full stop, such as `it is not a report of steward`. */
  readonly reason: string;
}

export interface LoadedReports {
  readonly facts: Facts;
  /** The number of drift reports, and of those of applies and destroys. */
  readonly drifts: number;
  readonly applies: number;
  /** Plans and widgets, which tell nothing of drift. */
  readonly others: number;
  /** Copies of other files. */
  readonly copies: number;
  readonly skipped: readonly SkippedFile[];
}

/** Plans, and the plan widget's counts. */
const WIDGET = ".widget.json";

/**
 * Reads all reports of a folder and its subfolders, one after the other.
 *
 * @throws DiagnosticError `history_unreadable` if there is no drift report
 */
export async function loadReports({ name, folder, files }: ReportFiles): Promise<LoadedReports> {
  const facts = new Facts();
  const counts = { drifts: 0, applies: 0, others: 0, copies: 0 };
  const skipped: SkippedFile[] = [];
  for (const file of files) {
    if (file.endsWith(WIDGET)) {
      counts.others++;
      continue;
    }
    try {
      const bytes = await readFile(path.join(folder, file));
      const report = readReport(bytes.toString("utf8"));
      const digest = createHash("sha256").update(bytes).digest("base64");
      if (report.command === "plan") counts.others++;
      else if (!facts.add(report, digest)) counts.copies++;
      else counts[report.command === "drift" ? "drifts" : "applies"]++;
    } catch (problem) {
      skipped.push({ file, reason: reasonOf(problem) });
    }
  }
  if (counts.drifts === 0) return unreadable(name, `has no drift report${including(skipped)}`);
  return { facts, ...counts, skipped };
}

function reasonOf(problem: unknown): string {
  if (problem instanceof UnusableReport) return problem.message;
  if (problem instanceof FileProblem || systemCode(problem) !== undefined)
    return `it can't be read (${describeFileProblem(problem)})`;
  throw problem;
}

function including([first, ...more]: readonly SkippedFile[]): string {
  if (first === undefined) return "";
  const others = more.length === 0 ? "" : `; ${more.length} more can't be used either`;
  return `: ${JSON.stringify(first.file)} can't be used, because ${first.reason}${others}`;
}
