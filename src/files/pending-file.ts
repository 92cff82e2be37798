import { type FileHandle, lstat, open, readlink, realpath, rename, stat } from "node:fs/promises";
import path from "node:path";
import { explainFailedOpen } from "./file-problem";
import { temporaryName } from "./leftovers";
import { removeFile } from "./remove-file";
import { systemCode } from "./system-code";

/** How much text is gathered before it goes to the disk. */
const BATCH_BYTES = 1 << 20;
const PERMISSIONS = { owner: { ofNew: 0o600, kept: 0o600 }, anyone: { ofNew: 0o666, kept: 0o777 } } as const;

/** Whom a file is for: this user alone, or whoever the system's defaults allow. */
export type Audience = "owner" | "anyone";

/**
 * A file's next content, written beside it. It becomes the file in one step and durably, or leaves no trace.
 *
 * This is our own and not write-file-atomic's because a large state is written in parts, so that requests go on
 * meanwhile; because what a killed run leaves behind must be found again (`removeLeftovers`), as it may hold secrets;
 * and because the rename itself must be on the disk before anybody relies on it.
 */
export class PendingFile {
  private constructor(
    private readonly handle: FileHandle,
    /** Where the content stands until `commit`. */
    readonly temporary: string,
    private readonly target: string,
  ) {}

  /**
   * A file for its owner alone never keeps rights of others that it had before, and keeps a right that its owner took away.
   *
   * @param target a path without a link in it, see `withoutLinks`.
   */
  static async create(target: string, audience: Audience = "owner"): Promise<PendingFile> {
    const before = await stat(target).catch(() => undefined);
    const temporary = temporaryName(target);
    const permissions = PERMISSIONS[audience];
    const handle = await open(temporary, "wx", permissions.ofNew);
    const file = new PendingFile(handle, temporary, target);
    if (before !== undefined) {
      await handle.chmod(before.mode & permissions.kept);
      // Only root can give a file away; for everybody else it is theirs from now on.
      await handle.chown(before.uid, before.gid).catch(() => undefined);
    }
    return file;
  }

  async write(parts: Iterable<string>): Promise<void> {
    let batch: string[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      await this.handle.appendFile(batch.join(""));
      batch = [];
      size = 0;
    };
    for (const part of parts) {
      batch.push(part);
      size += part.length;
      if (size >= BATCH_BYTES) await flush();
    }
    await flush();
    await this.handle.sync();
  }

  /** Puts the content in the file's place; when this returns, it stays there even if the power fails. */
  async commit(): Promise<void> {
    await this.handle.close();
    await rename(this.temporary, this.target);
    await syncFolder(path.dirname(this.target));
  }

  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await removeFile(this.temporary);
  }
}

/** Writes a whole file in one step. */
export async function replaceFile(
  target: string,
  parts: Iterable<string>,
  audience?: Audience,
): Promise<void> {
  const pending = await PendingFile.create(target, audience);
  try {
    await pending.write(parts);
    await pending.commit();
  } catch (problem) {
    await pending.discard();
    throw problem;
  }
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  // Windows and some network file systems can't open or sync a folder: there the rename is as durable as they make it.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const MOST_LINKS = 40;

/** The path with every link followed, so that writing there keeps them; the last may lead to what does not exist yet. */
export async function withoutLinks(file: string, followed = 0): Promise<string> {
  try {
    return await realpath(file);
  } catch (problem) {
    if (systemCode(problem) !== "ENOENT" || followed > MOST_LINKS) throw explainFailedOpen(file, problem);
  }
  const found = await lstat(file).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    return withoutLinks(path.resolve(path.dirname(file), await readlink(file)), followed + 1);
  }
  const folder = await realpath(path.dirname(file));
  return path.join(folder, path.basename(file));
}
