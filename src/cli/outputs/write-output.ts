import { lstatSync, rmSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import {
  adviceForWriting,
  describeFileProblem,
  FileProblem,
  type Reader,
  requireReplaceable,
  requireWritablePlace,
  writeOutputFile,
} from "../../files";
import type { Terminal } from "../terminal/terminal";
import { OUTPUT_KINDS, type OutputKind } from "./kinds";

/** The folder to which paths are relative, the checked output files, and the value of `--force`. */
export type OutputPlace = Pick<Terminal, "folder" | "outputs">;

/** A file to write, and its content. Only the owner may read the file, unless `audience` is `anyone`. */
interface Output {
  readonly kind: OutputKind;
  /** The name of the file, as the command line gives it. */
  readonly file: string;
  readonly text: string;
  readonly reader: Reader;
  readonly audience?: "owner" | "anyone";
}

/**
 * Writes a file that the command line names. Commands replace output files only with this function.
 *
 * @throws DiagnosticError with the code of the kind. After this error, an existing file is unchanged
 */
export async function writeOutput({ kind, file, ...content }: Output, place: OutputPlace): Promise<void> {
  const { isOwn } = OUTPUT_KINDS[kind];
  const force = place.outputs?.force === true;
  const target = path.resolve(place.folder, file);
  await writeOutputFile(target, content, { isOwn, force }).catch((problem) =>
    notWritten(kind, file, problem),
  );
}

/**
 * Checks before a run whether the run may write an output file that the command line names.
 *
 * @throws DiagnosticError with the code of the kind
 */
export function requireWritable(kind: OutputKind, file: string, place: OutputPlace): void {
  const { isOwn } = OUTPUT_KINDS[kind];
  const target = path.resolve(place.folder, file);
  try {
    requireWritablePlace(target);
    requireReplaceable(target, { isOwn, force: place.outputs?.force === true });
  } catch (problem) {
    notWritten(kind, file, problem);
  }
}

/**
 * Deletes the output file of an earlier run, so that a run that ends early leaves no outdated file. Leaves a device and a link.
 *
 * @throws DiagnosticError with the code of the kind
 */
export function removeOutdated(kind: OutputKind, file: string, place: OutputPlace): void {
  requireWritable(kind, file, place);
  const target = path.resolve(place.folder, file);
  if (lstatSync(target, { throwIfNoEntry: false })?.isFile() === true) rmSync(target);
}

/** Throws the error for a file that can't be written, with the reason. */
function notWritten(kind: OutputKind, file: string, problem: unknown): never {
  const { command, option, occupied, ...kindOf } = OUTPUT_KINDS[kind];
  const isOccupied = problem instanceof FileProblem && problem.fault === "occupied";
  const { code, summary } = (isOccupied && occupied) || kindOf;
  const other = `choose another place with ${option}`;
  return fail({
    code,
    summary,
    detail: isOccupied
      ? `${file} exists, and \`${command}\` did not write it. The file is unchanged. Choose another place with ${option}, or replace the file with --force.`
      : `${JSON.stringify(file)} can't be written (${describeFileProblem(problem)}). ${adviceForWriting(problem)}, or ${other}. Nothing was replaced.`,
  });
}
