import { lstatSync, readlinkSync, type Stats, statSync } from "node:fs";
import { devNull } from "node:os";
import { getSystemErrorMap } from "node:util";

/** Returns the code of a file system error, such as `ENOENT`. Returns undefined for any other error. */
export function systemCode(problem: unknown): string | undefined {
  const code = (problem as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** The reason why a path can't be used as a file, although the file system reports no error. */
export type FileFault = "not_a_file" | "too_large" | "silent" | "occupied" | "not_text" | "unreadable";

/**
 * The error for a path that is not a regular file, or whose content is unusable. The message begins with "it", because the
 * caller writes the path before the message.
 */
export class FileProblem extends Error {
  override readonly name = "FileProblem";

  constructor(
    readonly fault: FileFault,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Returns the reason why a file can't be read or written. For a system error, the reason is its code and the system's text,
 * such as "ENOENT: no such file or directory".
 */
export function describeFileProblem(problem: unknown): string {
  if (problem instanceof FileProblem) return problem.message;
  const code = systemCode(problem);
  if (code === undefined) return problem instanceof Error ? problem.message : String(problem);
  const words = [...getSystemErrorMap().values()].find(([name]) => name === code)?.[1];
  return words === undefined ? code : `${code}: ${words}`;
}

/** Returns advice about a failed write, as the start of a sentence. */
export function adviceForWriting(problem: unknown): string {
  if (problem instanceof FileProblem && problem.fault === "unreadable")
    return "Check the disk; if it is in order, this is a fault of Steward, so report it";
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

export const notAFile = (what: string): FileProblem =>
  new FileProblem("not_a_file", `it is ${what}, not a regular file`);

type Kind = Pick<
  Stats,
  "isFile" | "isDirectory" | "isFIFO" | "isSocket" | "isSymbolicLink" | "isCharacterDevice" | "isBlockDevice"
>;

/** Returns the kind of a file, such as "a folder"; undefined for a regular file. */
export function describeKind(found: Kind): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a pipe (FIFO)";
  if (found.isSocket()) return "a socket";
  if (found.isSymbolicLink()) return "a symbolic link";
  return found.isCharacterDevice() || found.isBlockDevice() ? "a device" : "not a known kind of file";
}

/**
 * Throws if the path exists and is not a regular file, so that the caller replaces no folder, pipe or device.
 *
 * @throws FileProblem
 */
export function requireRegularFile(file: string, links: "follow" | "refuse" = "follow"): void {
  const found = (links === "follow" ? statSync : lstatSync)(file, { throwIfNoEntry: false });
  const kind = found && describeKind(found);
  if (kind !== undefined) throw notAFile(kind);
}

/** Returns the error for a pipe whose other end does nothing for too long. */
export const silentPipe = (happened: "written to" | "read from", milliseconds: number): FileProblem =>
  new FileProblem(
    "silent",
    `it is a pipe, and nothing was ${happened} it within ${Math.round(milliseconds / 1000)} s`,
  );

/** Returns whether an open file is the null device, such as `/dev/null`. Steward reads it as an empty file. */
export function isNullDevice(found: Stats): boolean {
  const nullDevice = statSync(devNull, { throwIfNoEntry: false });
  return (
    found.isCharacterDevice() && nullDevice?.isCharacterDevice() === true && nullDevice.rdev === found.rdev
  );
}

/**
 * Returns the error to report for a file that could not be opened. If the path is a broken or circular link, a socket or a
 * device, this error says so. Otherwise, returns the original error.
 */
export function explainFailedOpen(file: string, problem: unknown): unknown {
  const code = systemCode(problem);
  if (!["ENOENT", "ELOOP", "ENXIO", "ENODEV", "EOPNOTSUPP", "EISDIR"].includes(code ?? "")) return problem;
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return problem;
  const kind = describeKind(found);
  // A regular file appeared after the failed open. The original error is kept.
  if (kind === undefined) return problem;
  if (!found.isSymbolicLink()) return notAFile(kind);
  const target = `a symbolic link to ${readlinkSync(file)}`;
  if (code === "ENOENT") return notAFile(`${target}, which does not exist`);
  return notAFile(isCircular(file) ? `${target}, which is circular` : target);
}

function isCircular(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (problem) {
    return systemCode(problem) === "ELOOP";
  }
}
