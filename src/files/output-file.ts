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
import { describeKind, FileProblem, notAFile, requireRegularFile, systemCode } from "./file-problem";
import { type NewContent, removeTemporaryFiles, replaceFile, resolveLinks } from "./pending-file";
import { requireReadable } from "./read-back";
import { readFileSync } from "./read-file";
import { writeStream } from "./write-stream";

/**
 * Decides from the content of a file whether the command that replaces it wrote it.
 *
 * @param head the first bytes, `HEAD_BYTES` at most
 * @param whole reads the whole content
 */
export type IsOwn = (head: Buffer, whole: () => Buffer) => boolean;

/** The number of bytes that show which program wrote a file. */
const HEAD_BYTES = 1 << 16;

/** Which files a command may replace. */
export interface Replacing {
  readonly isOwn: IsOwn;
  /** Any regular file may be replaced. */
  readonly force: boolean;
}

/**
 * Requires that a command may write a named file. It may be missing, empty, a pipe or a device. A file with content must show that
 * the command wrote it.
 *
 * @throws FileProblem, `occupied` for a file of another origin; the system's error if it can't be read
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
 * Requires that the folder of a file takes a new file, and that the file itself is not protected. Links are followed; pipes
 * and devices have no such place.
 *
 * @throws the system's error
 */
export function requireWritablePlace(file: string): void {
  const place = placeOfFile(file);
  if (place === undefined) return;
  accessSync(path.dirname(place), constants.W_OK);
  if (statSync(place, { throwIfNoEntry: false }) !== undefined) accessSync(place, constants.W_OK);
}

/** Pipes and devices are written to, and never replaced. */
const isStream = (found: Stats): boolean =>
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
 * Writes a file that a user names: to a pipe or a device, or atomically, as the replacement of a file. Links are
 * followed. After a failure the earlier file is as it was.
 *
 * @throws FileProblem, or the system's error
 */
export async function writeOutputFile(
  file: string,
  { text, reader, audience }: NewContent,
  replacing: Replacing,
): Promise<void> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && isStream(found)) {
    await requireReadable(Buffer.from(text), reader);
    return writeStream(file, text);
  }
  const target = await resolveLinks(file);
  requireRegularFile(target);
  requireReplaceable(target, replacing);
  await replaceFile(target, { text, reader, ...(audience && { audience }) });
  await removeTemporaryFiles([target], "gone");
}

/**
 * Returns a name for the place of a file that may not exist yet. Two paths that lead to one file have one name.
 * Undefined for pipes and devices, because several outputs may share one.
 */
export function placeOfFile(file: string): string | undefined {
  try {
    return placeOf(file, 0);
  } catch (problem) {
    // A circular link, or a folder that can't be read: the code that opens the file explains it.
    if (systemCode(problem) === undefined) throw problem;
    return path.resolve(file);
  }
}

function placeOf(file: string, followed: number): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined) return isStream(found) ? undefined : realpathSync(file);
  const link = lstatSync(file, { throwIfNoEntry: false });
  const folder = path.dirname(path.resolve(file));
  // A link to a file that does not exist yet.
  if (link?.isSymbolicLink() === true && followed < MAX_LINKS)
    return placeOf(path.resolve(folder, readlinkSync(file)), followed + 1);
  return path.join(existsSync(folder) ? realpathSync(folder) : folder, path.basename(file));
}

const MAX_LINKS = 40;
