import { lstatSync, rmdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { describeFileProblem, FileProblem, requireRegularFile, systemCode } from "./file-problem";
import { type IsOwn, requireReplaceable } from "./output-file";
import { type Audience, PendingFile } from "./pending-file";
import type { Reader } from "./read-back";
import { readFileSync } from "./read-file";

/** A file that a command writes into a given folder, together with other files. */
export interface FileOfSet {
  /** An absolute path. A link is refused, because it could lead out of the folder. */
  readonly file: string;
  readonly content: string | Uint8Array;
  /** Checks the new content after it was written to the disk, and before it replaces the file. */
  readonly reader: Reader;
  readonly audience?: Audience;
  /** The permissions of the file, regardless of the umask. */
  readonly mode?: number;
  /**
   * Returns whether the command has written the existing content. Without this function, Steward replaces a file only if the
   * existing content equals the new content.
   */
  readonly isOwn?: IsOwn;
}

/** The error for a file of a set that can't be written. */
export class SetProblem extends Error {
  override readonly name = "SetProblem";

  constructor(
    readonly file: string,
    override readonly cause: unknown,
  ) {
    super(describeFileProblem(cause));
  }
}

/** Returns whether the content of a file already equals the given content. */
const has = (file: string, content: string | Uint8Array): boolean =>
  readFileSync(file).equals(bytesOf(content));

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? Buffer.from(content) : content;

/**
 * Returns the files of a set that must not be replaced. The result contains files with content that this command did
 * not write, and paths that are a link, a folder or a pipe.
 *
 * @throws SetProblem for a file that can't be read
 */
export function occupiedOf(files: readonly FileOfSet[]): readonly FileOfSet[] {
  return files.filter(({ file, content, isOwn }) =>
    explained(file, () => {
      if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return false;
      const isWritten: IsOwn = (head, whole) => has(file, content) || isOwn?.(head, whole) === true;
      try {
        requireRegularFile(file, "refuse");
        requireReplaceable(file, { isOwn: isWritten, force: false });
        return false;
      } catch (problem) {
        if (problem instanceof FileProblem) return true;
        throw problem;
      }
    }),
  );
}

/**
 * Writes all files of a set. All new content is on disk before the first file is replaced, so almost every failure leaves all
 * files unchanged. The files are replaced in order.
 *
 * @throws SetProblem
 */
export async function writeSet(files: readonly FileOfSet[]): Promise<void> {
  const pending: PendingFile[] = [];
  const created: string[] = [];
  try {
    for (const one of files) pending.push(await stage(one, created));
    for (const [at, one] of pending.entries()) await one.commit().catch(failWith(files[at]!.file));
  } catch (problem) {
    for (const one of pending) await one.discard().catch(() => undefined);
    for (const folder of created.reverse()) removeIfEmpty(folder);
    throw problem;
  }
}

async function stage(
  { file, content, reader, audience, mode }: FileOfSet,
  created: string[],
): Promise<PendingFile> {
  try {
    created.push(...(await createFolder(path.dirname(file))));
    explained(file, () => requireRegularFile(file, "refuse"));
    const pending = await PendingFile.create(file, audience);
    try {
      if (mode !== undefined) await pending.chmod(mode);
      await pending.write([content]);
      await pending.requireReadBack(reader);
      return pending;
    } catch (problem) {
      await pending.discard().catch(() => undefined);
      throw problem;
    }
  } catch (problem) {
    return failWith(file)(problem);
  }
}

/** Creates a folder and its missing parents. Returns the paths of the new folders, parents first. */
async function createFolder(folder: string): Promise<string[]> {
  const first = await mkdir(folder, { recursive: true });
  const created: string[] = [];
  if (first === undefined) return created;
  for (let at = folder; at.length >= first.length; at = path.dirname(at)) created.unshift(at);
  return created;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (problem) {
    // The folder may contain a file that was written before the failure, or may already be removed.
    if (systemCode(problem) === undefined) throw problem;
  }
}

function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (problem) {
    return failWith(file)(problem);
  }
}

const failWith =
  (file: string) =>
  (problem: unknown): never => {
    throw problem instanceof SetProblem ? problem : new SetProblem(file, problem);
  };
