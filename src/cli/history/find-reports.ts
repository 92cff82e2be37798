import { readdir } from "node:fs/promises";
import path from "node:path";
import { fail } from "../../diagnostics";
import { describeFileProblem } from "../../files";

/** The JSON files of a folder. */
export interface ReportFiles {
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
export const unreadable = (name: string, what: string): never =>
  fail({
    code: "history_unreadable",
    summary: "No drift reports to read",
    detail:
      `The folder ${JSON.stringify(name)} ${what}. Give the folder where runs of ` +
      "`steward drift --report FILE.json` put their reports.",
  });
