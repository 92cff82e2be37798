import { createHash } from "node:crypto";
import { lstatSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { fail } from "../../diagnostics";
import { describeFileProblem, readFileSync, replaceFile, systemCode } from "../../files";
import { parseJson } from "../../json";
import type { StackEntry } from "./app-files";

/** The file that records which files earlier syntheses wrote into its output folder. */
const RECORD = ".steward-synthesis.json";

const recordFile = z.object({
  format_version: z.literal("1.0"),
  /**
   * The SHA-256 of the content of each file in hexadecimal, by the path of the file in the output folder. The paths contain `/`
   * on all systems.
   */
  files: z.record(z.string(), z.string()),
});

type Digests = Readonly<Record<string, string>>;

/** The only files that a synthesis is known to write into the folder of a stack. */
const SYNTHESIZED = /^stacks\/[^/\\]+\/cdk\.tf\.json$/;
const MANIFEST = "manifest.json";

/** Returns the content of a regular file; undefined for other files, and for files that can't be read. */
function contentOf(file: string): Buffer | undefined {
  try {
    return lstatSync(file).isFile() ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

const digestOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/**
 * Returns the recorded digests of the files of earlier syntheses. Returns an empty object if the record is missing or damaged.
 */
function readRecord(output: string): Digests {
  const content = contentOf(path.join(output, RECORD));
  if (content === undefined) return {};
  try {
    return recordFile.parse(parseJson(content.toString("utf8"))).files;
  } catch {
    return {};
  }
}

/**
 * The properties by which Steward recognizes the manifest of an app that ran without Steward. A run without Steward
 * leaves no record.
 */
const manifestOfApp = z.object({
  version: z.string(),
  stacks: z.record(z.string(), z.object({ name: z.string() })),
});

function isManifestOfApp(content: Buffer): boolean {
  try {
    return manifestOfApp.safeParse(parseJson(content.toString("utf8"))).success;
  } catch {
    return false;
  }
}

/**
 * Removes the manifest of the last synthesis. If the app then writes no manifest, Steward can't use the manifest of an earlier
 * run by mistake.
 *
 * @throws DiagnosticError `output_not_writable`; `output_occupied` if no synthesis wrote the existing file: the app would
 * overwrite it
 */
export function removeManifest(output: string): void {
  const file = path.join(output, MANIFEST);
  const content = contentOf(file);
  // If the manifest is not a regular file, `readManifest` reports this problem later.
  if (content === undefined) return;
  if (digestOf(content) !== readRecord(output)[MANIFEST] && content.length > 0 && !isManifestOfApp(content))
    fail({
      code: "output_occupied",
      summary: "Output folder contains another file",
      detail: `The app would overwrite ${file}, which was not written by an earlier synthesis. Nothing was changed. Choose another output folder with --output or \`output\` of cdktf.json, or move the file to another folder.`,
    });
  try {
    rmSync(file, { force: true });
  } catch (problem) {
    fail({
      code: "output_not_writable",
      summary: "The output folder is not writable",
      detail:
        `${file} of the last synthesis can't be removed (${describeFileProblem(problem)}), so the app was not run. ` +
        "Choose a writable output folder with --output DIR, or plan the synthesized stacks with --config DIR, which runs no app.",
    });
  }
}

/** Records the files of a synthesis. Keeps the records of files from earlier syntheses if these files still exist. */
export async function recordSynthesis(output: string, stacks: readonly StackEntry[]): Promise<void> {
  const before = readRecord(output);
  const written = [MANIFEST, ...stacks.map(({ folder }) => synthesizedFile(output, folder))];
  const files: Record<string, string> = {};
  for (const [name, digest] of Object.entries(before))
    if (SYNTHESIZED.test(name) && isFile(path.join(output, name))) files[name] = digest;
  for (const name of written) {
    const content = contentOf(path.join(output, name));
    if (content !== undefined) files[name] = digestOf(content);
  }
  if (isEqual(before, files)) return;
  const sorted = Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)));
  const text = `${JSON.stringify({ format_version: "1.0", files: sorted }, undefined, 2)}\n`;
  try {
    const reader = (content: Buffer) => recordFile.parse(parseJson(content.toString("utf8")));
    await replaceFile(path.join(output, RECORD), { text, reader, audience: "anyone" });
  } catch (problem) {
    // Without a record, later runs remove nothing.
    if (systemCode(problem) === undefined) throw problem;
  }
}

const synthesizedFile = (output: string, folder: string): string =>
  [...path.relative(output, folder).split(path.sep), "cdk.tf.json"].join("/");

const isFile = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;

const isFolder = (at: string): boolean => lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;

function isEqual(one: Digests, other: Digests): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/**
 * Removes the synthesized files of stacks that the app no longer has, if their content has not changed since the synthesis. All
 * other files stay, such as a state in the same folder. A folder is removed once it is empty.
 */
export function removeObsolete(output: string, stacks: readonly StackEntry[]): void {
  // If `stacks` is a link, it could lead to unrelated files, so nothing is removed.
  if (!isFolder(path.join(output, "stacks"))) return;
  const kept = new Set(stacks.map(({ folder }) => synthesizedFile(output, folder)));
  for (const [name, digest] of Object.entries(readRecord(output))) {
    if (!SYNTHESIZED.test(name) || kept.has(name)) continue;
    const file = path.join(output, name);
    const folder = path.dirname(file);
    if (!isFolder(folder)) continue;
    const content = contentOf(file);
    if (content === undefined || digestOf(content) !== digest) continue;
    rmSync(file);
    removeEmpty(folder);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The folder is not empty, so it stays.
  }
}
