import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import {
  describeFileProblem,
  FileProblem,
  placeOfFile,
  requireReplaceable,
  systemCode,
  writeOutputFile,
} from "../../files";
import type { Terminal } from "../terminal/terminal";
import { OUTPUT_KINDS, type OutputKind } from "./kinds";

/** The folder of relative paths, and whether `--force` was given. */
export type OutputPlace = Pick<Terminal, "folder" | "outputs">;

/** The content of a named file. Only its owner may read it, unless `audience` is `anyone`. */
interface Output {
  readonly kind: OutputKind;
  /** As the command line has it. */
  readonly file: string;
  readonly text: string;
  readonly audience?: "owner" | "anyone";
}

/**
 * Writes a file that the command line names: the only way in which a command replaces one.
 *
 * @throws DiagnosticError with the code of the kind; the earlier file is as it was
 */
export async function writeOutput({ kind, file, text, audience }: Output, place: OutputPlace): Promise<void> {
  const { isOwn } = OUTPUT_KINDS[kind];
  const force = place.outputs?.force === true;
  const target = path.resolve(place.folder, file);
  await writeOutputFile(target, text, { isOwn, force, ...(audience && { audience }) }).catch((problem) =>
    notWritten(kind, file, problem),
  );
}

/**
 * Checks a named file before anything starts.
 *
 * @throws DiagnosticError with the code of the kind
 */
export function requireWritable(kind: OutputKind, file: string, place: OutputPlace): void {
  const { isOwn } = OUTPUT_KINDS[kind];
  const target = path.resolve(place.folder, file);
  try {
    requireWritableFolder(target);
    requireReplaceable(target, { isOwn, force: place.outputs?.force === true });
  } catch (problem) {
    notWritten(kind, file, problem);
  }
}

/** The folder of a file must take a new file, and the file itself must not be protected. */
function requireWritableFolder(target: string): void {
  const place = placeOfFile(target);
  if (place === undefined) return;
  const isThere = statSync(place, { throwIfNoEntry: false }) !== undefined;
  accessSync(path.dirname(place), constants.W_OK);
  if (isThere) accessSync(place, constants.W_OK);
}

/** The error for a file that can't be written, with the reason. */
function notWritten(kind: OutputKind, file: string, problem: unknown): never {
  const { command, option, occupied, ...kindOf } = OUTPUT_KINDS[kind];
  const isOccupied = problem instanceof FileProblem && problem.fault === "occupied";
  const { code, summary } = (isOccupied && occupied) || kindOf;
  const other = `choose another place with ${option}`;
  return fail({
    code,
    summary,
    detail: isOccupied
      ? `${file} exists and was not written by \`${command}\`. It is as it was: ${other}, or replace it with --force.`
      : `${JSON.stringify(file)} can't be written (${describeFileProblem(problem)}). ${adviceFor(problem)}, or ${other}. Nothing was replaced.`,
  });
}

function adviceFor(problem: unknown): string {
  switch (systemCode(problem)) {
    case "ENOENT":
      return "Create the folder";
    case "ENXIO":
      return "It is a pipe without a reader, or a socket: start the reader first";
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full: free space";
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return "The place is read-only for this user: change its permissions";
    default:
      return "Correct the path";
  }
}
