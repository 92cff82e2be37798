import { type FileHandle, lstat, open, readlink, realpath, rename, stat } from "node:fs/promises";
import path from "node:path";
import { explainFailedOpen } from "./file-problem";
import { removeFile } from "./remove-file";
import { syncFile } from "./sync-file";
import { systemCode } from "./system-code";
import { temporaryName } from "./temporary-files";

/** Text is buffered up to this size. */
const BATCH_BYTES = 1 << 20;
const PERMISSIONS = { owner: { ofNew: 0o600, kept: 0o600 }, anyone: { ofNew: 0o666, kept: 0o777 } } as const;

/** Who may access a file: its owner alone, or whoever the umask allows. */
export type Audience = "owner" | "anyone";

/**
 * The next content of a file, written beside it, which replaces the file atomically and durably, or is
 * discarded.
 *
 * write-file-atomic is no alternative: a large state is written in parts, so that requests continue
 * meanwhile; leftovers of killed runs must be found again (`removeTemporaryFiles`), since they may contain
 * secrets; and the rename must be on disk before anything relies on it.
 */
export class PendingFile {
  private constructor(
    private readonly handle: FileHandle,
    /** The path of the content until `commit`. */
    readonly temporary: string,
    private readonly target: string,
  ) {}

  /**
   * An owner-only file drops earlier permissions of others, and keeps a permission that its owner removed.
   *
   * @param target a path without symbolic links, see `resolveLinks`.
   */
  static async create(target: string, audience: Audience = "owner"): Promise<PendingFile> {
    const before = await stat(target).catch(() => undefined);
    const temporary = temporaryName(target);
    const permissions = PERMISSIONS[audience];
    const handle = await open(temporary, "wx", permissions.ofNew);
    const file = new PendingFile(handle, temporary, target);
    if (before !== undefined) {
      await handle.chmod(before.mode & permissions.kept);
      // Only root can change the owner; otherwise the file belongs to this user.
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
    await syncFile(this.handle);
  }

  /** Replaces the file; durable after return, even after a power failure, if the folder can be synced. */
  async commit(): Promise<void> {
    await this.handle.close();
    await rename(this.temporary, this.target);
    // The file has been replaced, and names are changed in order: whatever follows is on disk after it.
    await syncFolder(path.dirname(this.target)).catch(() => undefined);
  }

  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await removeFile(this.temporary);
  }
}

/** Replaces a whole file atomically. */
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

/** The disk failed, in contrast to a file system that can't sync a folder. */
const DISK_FAILED = new Set(["EIO", "ENOSPC", "EDQUOT"]);

/**
 * Waits until the names of a folder are on disk. Windows and some network file systems can't do that: there they are as
 * durable as these make them.
 *
 * @throws the system's error if the disk failed
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  if (handle === undefined) return;
  try {
    await syncFile(handle);
  } catch (problem) {
    if (DISK_FAILED.has(systemCode(problem) ?? "")) throw problem;
  } finally {
    await handle.close();
  }
}

const MAX_LINKS = 40;

/**
 * Resolves all links, so that writing keeps them; the last one may point to a file that does not exist yet.
 */
export async function resolveLinks(file: string, followed = 0): Promise<string> {
  try {
    return await realpath(file);
  } catch (problem) {
    if (systemCode(problem) !== "ENOENT" || followed > MAX_LINKS) throw explainFailedOpen(file, problem);
  }
  const found = await lstat(file).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    return resolveLinks(path.resolve(path.dirname(file), await readlink(file)), followed + 1);
  }
  const folder = await realpath(path.dirname(file));
  return path.join(folder, path.basename(file));
}
