import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { fail } from "../../diagnostics";
import { describeFileProblem, FileProblem, readFile, systemCode } from "../../files";
import { readReport, UnusableReport } from "../reports/read-report";
import { Tracer } from "./trace";

/**
 * Returns the JSON files in a folder and its subfolders, sorted. The command line names the folder. Leaves out hidden files and
 * folders, and links to folders.
 *
 * @throws DiagnosticError `history_unreadable`
 */
export async function findReports(name: string, workingFolder: string) {
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

/** Throws the error for a folder that can't be read or has no drift report. */
const unreadable = (name: string, what: string): never =>
  fail({
    code: "history_unreadable",
    summary: "No drift reports to read",
    detail: `The folder ${JSON.stringify(name)} ${what}. Pass the folder that contains the reports from \`steward drift --report FILE.json\`.`,
  });

/** A file that the history does not use, and the reason. */
export interface SkippedFile {
  /** The path of the skipped file, relative to the folder with the reports. */
  readonly file: string;
  /** The reason, as a clause without a full stop, such as `it is not a report of steward`. */
  readonly reason: string;
}

export type LoadedReports = Awaited<ReturnType<typeof loadReports>>;

interface FoundReport {
  readonly file: string;
  readonly time: number;
  readonly digest: string;
}

/**
 * The extension of files with counts for the plan widget. Files with this extension contain no drift, so the history does not
 * read them.
 */
const WIDGET = ".widget.json";

/**
 * Reads all drift reports of a folder and its subfolders, one after the other, in the order of their start times. Reports with
 * the same time are in the order of their digests.
 *
 * @throws DiagnosticError `history_unreadable` if there is no drift report
 */
export async function loadReports({ name, folder, files }: Awaited<ReturnType<typeof findReports>>) {
  const tracer = new Tracer();
  /** The number of report files that are copies of other report files. */
  let copies = 0;
  const skipped: SkippedFile[] = [];
  const read = async (file: string, use: (bytes: Buffer) => void): Promise<void> => {
    try {
      use(await readFile(path.join(folder, file)));
    } catch (problem) {
      skipped.push({ file, reason: reasonOf(problem) });
    }
  };
  const found: FoundReport[] = [];
  for (const file of files.filter((one) => !one.endsWith(WIDGET)))
    await read(file, (bytes) => {
      const digest = createHash("sha256").update(bytes).digest("base64");
      found.push({ file, time: startOf(bytes.toString("utf8")), digest });
    });
  const digests = new Set<string>();
  for (const { file, digest } of found.sort(byTime))
    await read(file, (bytes) => {
      const report = readReport(bytes.toString("utf8"));
      if (report.command !== "drift") return;
      if (digests.has(digest)) copies++;
      else tracer.add(report);
      digests.add(digest);
    });
  skipped.sort((one, other) => (one.file < other.file ? -1 : 1));
  const trace = tracer.result();
  if (trace.points.length === 0) return unreadable(name, `has no drift report${including(skipped)}`);
  return { trace, copies, skipped };
}

/**
 * Returns the start time of a run. In the text of a report, the time is before the results, so this function does not parse the
 * results.
 */
function startOf(text: string): number {
  const head = text.slice(0, text.indexOf('"stacks"'));
  const time = Date.parse(/"started_at"\s*:\s*"([\d-]+T[\d:.]+Z)"/.exec(head)?.[1] ?? "");
  return Number.isNaN(time) ? readReport(text).time : time;
}

const byTime = (one: FoundReport, other: FoundReport): number =>
  one.time - other.time || (one.digest < other.digest ? -1 : 1);

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
