import { lstatSync, readlinkSync, type Stats, statSync } from "node:fs";
import { devNull } from "node:os";
import { systemCode } from "./system-code";

/** Why a path can't be used as a file, where the file system itself would not say so. */
export type FileFault = "not_a_file" | "too_large" | "silent";

/** What stands at a path is not what is needed there. The message begins with "it", for callers that name the path. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";

  constructor(
    readonly fault: FileFault,
    message: string,
  ) {
    super(message);
  }
}

/** Why a file can't be read or written, for messages that name it: a sentence of ours, or the system's code. */
export const describeFileProblem = (problem: unknown): string =>
  problem instanceof FileProblem
    ? problem.message
    : (systemCode(problem) ?? (problem instanceof Error ? problem.message : String(problem)));

export const notAFile = (what: string): FileProblem =>
  new FileProblem("not_a_file", `it is ${what}, and a regular file is needed here`);

type Kind = Pick<
  Stats,
  "isFile" | "isDirectory" | "isFIFO" | "isSocket" | "isSymbolicLink" | "isCharacterDevice" | "isBlockDevice"
>;

/** What stands at a path; undefined where that is a regular file. */
export function kindOf(found: Kind): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a pipe (FIFO)";
  if (found.isSocket()) return "a socket";
  if (found.isSymbolicLink()) return "a symbolic link";
  return found.isCharacterDevice() || found.isBlockDevice() ? "a device" : "no file of a known kind";
}

/**
 * Refuses a path at which neither a regular file nor nothing stands, before a file takes its place.
 *
 * @throws FileProblem
 */
export function refuseUnlessFile(file: string, links: "follow" | "refuse" = "follow"): void {
  const found = (links === "follow" ? statSync : lstatSync)(file, { throwIfNoEntry: false });
  const kind = found && kindOf(found);
  if (kind !== undefined) throw notAFile(kind);
}

/** Whether an open file is the system's empty device, which stands for no content. */
export function isNullDevice(found: Stats): boolean {
  const empty = statSync(devNull, { throwIfNoEntry: false });
  return found.isCharacterDevice() && empty?.isCharacterDevice() === true && empty.rdev === found.rdev;
}

/** Tells more of a path that could not be opened: links that lead nowhere or in a circle, sockets, devices. */
export function explainFailedOpen(file: string, problem: unknown): unknown {
  const code = systemCode(problem);
  if (!["ENOENT", "ELOOP", "ENXIO", "ENODEV", "EOPNOTSUPP", "EISDIR"].includes(code ?? "")) return problem;
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return problem;
  const kind = kindOf(found);
  // A regular file appeared since: it was missing when it was to be opened, and that is what is told.
  if (kind === undefined) return problem;
  if (!found.isSymbolicLink()) return notAFile(kind);
  const target = `a symbolic link to ${readlinkSync(file)}`;
  if (code === "ENOENT") return notAFile(`${target}, which does not exist`);
  return notAFile(leadsInACircle(file) ? `${target}, which leads in a circle` : target);
}

function leadsInACircle(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (problem) {
    return systemCode(problem) === "ELOOP";
  }
}
