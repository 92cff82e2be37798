import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import path from "node:path";
import { describeKind, FileProblem, notAFile, systemCode } from "./file-problem";
import { readFileSync } from "./read-file";

/**
 * Returns whether the content of a file comes from the same command that now wants to replace the file.
 *
 * @param head the first bytes, at most `HEAD_BYTES`
 * @param whole reads the whole content
 */
export type IsOwn = (head: Buffer, whole: () => Buffer) => boolean;

/** The number of bytes that are read to recognize the program that wrote a file. */
const HEAD_BYTES = 1 << 16;

/** The files that a command may replace. */
export interface Replacing {
  readonly isOwn: IsOwn;
  /** Whether the command may replace any regular file. */
  readonly force: boolean;
}

/**
 * Throws if a command must not write a file that the user names. The file can be missing, empty, a pipe or a device. A file with
 * content can be replaced only if the same command wrote this content, or if `force` is set.
 *
 * @throws FileProblem, `occupied` if the content has another origin; the system's error if the file can't be read
 */
export function requireReplaceable(file: string, { isOwn, force }: Replacing): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || isStream(found)) return;
  const kind = describeKind(found);
  if (kind !== undefined) throw notAFile(kind);
  if (force || found.size === 0 || isOwn(headOf(file), () => readFileSync(file))) return;
  throw new FileProblem("occupied", "it exists, and this command did not write its content");
}

/**
 * Throws if this user can't create files in the folder of a file, or can't write the existing file. Links are followed. Pipes
 * and devices are not checked.
 *
 * @throws the system's error
 */
export function requireWritablePlace(file: string): void {
  const place = placeOfFile(file);
  if (place === undefined) return;
  accessSync(path.dirname(place), constants.W_OK);
  if (statSync(place, { throwIfNoEntry: false }) !== undefined) accessSync(place, constants.W_OK);
}

/** Returns whether a file is a pipe or a device. Steward writes into a pipe or a device, and never replaces it. */
export const isStream = (found: Stats): boolean =>
  found.isFIFO() || found.isCharacterDevice() || found.isBlockDevice();

function headOf(file: string): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const head = Buffer.alloc(Math.min(HEAD_BYTES, fstatSync(descriptor).size));
    return head.subarray(0, readSync(descriptor, head));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Returns the path of a file without links, also for a file that does not exist. Two paths to one file have the same result.
 * Returns undefined for pipes and devices, because several outputs can go into one pipe.
 */
export function placeOfFile(file: string): string | undefined {
  try {
    return placeOf(file, 0);
  } catch (problem) {
    // The path is a circular link, or its folder can't be read. The code that opens the file explains the
    // problem.
    if (systemCode(problem) === undefined) throw problem;
    return path.resolve(file);
  }
}

function placeOf(file: string, followed: number): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined) return isStream(found) ? undefined : realpathSync(file);
  const link = lstatSync(file, { throwIfNoEntry: false });
  const folder = path.dirname(path.resolve(file));
  // The path is a link to a file that does not exist yet.
  if (link?.isSymbolicLink() === true && followed < MAX_LINKS)
    return placeOf(path.resolve(folder, readlinkSync(file)), followed + 1);
  return path.join(existsSync(folder) ? realpathSync(folder) : folder, path.basename(file));
}

const MAX_LINKS = 40;
