import { randomBytes } from "node:crypto";
import { fdatasync, fsync, statSync } from "node:fs";
import {
  type FileHandle,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  stat,
  unlink,
} from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { explainFailedOpen, FileProblem, requireRegularFile, systemCode } from "./file-problem";
import { isStream, type Replacing, requireReplaceable } from "./output-file";
import { isMarkOfDead, processMark } from "./process-identity";
import { type Reader, requireReadable } from "./read-back";
import { writeStream } from "./write-stream";

/** Removes a file if it exists. @throws the system's error for anything else, such as a folder */
export async function removeFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (problem) {
    if (systemCode(problem) !== "ENOENT") throw problem;
  }
}

// These functions use the descriptor, because the file handles of Yarn's Plug'n'Play lack the methods `sync` and `datasync`.
type Descriptor = { readonly fd: number };

const syncAll = promisify(fsync);
const syncData = promisify(fdatasync);

/** Waits until a file and its metadata are on disk. */
const syncFile = ({ fd }: Descriptor): Promise<void> => syncAll(fd);

/** Waits until the content of a file is on disk. The metadata of the file can be missing on disk. */
export const syncContent = ({ fd }: Descriptor): Promise<void> => syncData(fd);

/**
 * Returns the name of a temporary file for the next content of a file: `.NAME.MARK-RANDOM.new` in the same
 * folder. The mark identifies the process.
 */
export const temporaryName = (target: string): string =>
  path.join(
    path.dirname(target),
    `.${path.basename(target)}.${processMark()}-${randomBytes(4).toString("hex")}.new`,
  );

/**
 * Matches the process mark in the name of a temporary file. Earlier releases used only the process id. The
 * temporary files of a lock's guard, and of the guard's guard, count as files of the lock.
 */
const MARK = /^(?:guard\.)*(\d+(?:-[0-9a-f]{8}-[0-9a-f]{8})?)-[0-9a-f]{8}\.new$/;

function markOf(entry: string, name: string): string | undefined {
  const prefix = `.${name}.`;
  return entry.startsWith(prefix) ? MARK.exec(entry.slice(prefix.length))?.[1] : undefined;
}

/**
 * The processes whose temporary files are removed. `gone`: dead processes. `any`: all processes, if the
 * caller holds the lock on the files.
 */
export type Owners = "gone" | "any";

/** Removes temporary files that killed runs left next to these files. */
export async function removeTemporaryFiles(targets: readonly string[], owners: Owners): Promise<void> {
  for (const folder of new Set(targets.map((target) => path.dirname(target)))) {
    const names = targets
      .filter((target) => path.dirname(target) === folder)
      .map((one) => path.basename(one));
    for (const entry of await readdir(folder)) {
      const mark = names.map((name) => markOf(entry, name)).find((found) => found !== undefined);
      if (mark !== undefined && (owners === "any" || isMarkOfDead(mark)))
        await removeFile(path.join(folder, entry));
    }
  }
}

/** The size in bytes that collected text must reach before it is written. */
const BATCH_BYTES = 1 << 20;
const PERMISSIONS = { owner: { ofNew: 0o600, kept: 0o600 }, anyone: { ofNew: 0o666, kept: 0o777 } } as const;

/** The users who may access a file: only its owner, or all users that the umask allows. */
export type Audience = "owner" | "anyone";

/**
 * The next content of a file, written to a temporary file in the same folder. The new content replaces the file
 * atomically and durably, or is discarded.
 *
 * Steward does not use the package write-file-atomic, because this class needs three more features. The class writes a
 * large state in parts, so that requests continue meanwhile. The class finds the temporary files of killed runs
 * (`removeTemporaryFiles`), because they can contain secrets. The class waits until the rename is on disk before it
 * does anything that relies on the new file.
 */
export class PendingFile {
  /** The CRC-32 of the written content. */
  #checksum = 0;

  private constructor(
    private readonly handle: FileHandle,
    /** The path of the temporary file. This file has the content until `commit` is called. */
    readonly temporary: string,
    private readonly target: string,
  ) {}

  /**
   * Creates the temporary file with the permissions of the file that it will replace. For the audience `owner`, permissions of
   * other users are removed.
   *
   * @param target a path without symbolic links, see `resolveLinks`
   */
  static async create(target: string, audience: Audience = "owner"): Promise<PendingFile> {
    const before = await stat(target).catch(() => undefined);
    const temporary = temporaryName(target);
    const permissions = PERMISSIONS[audience];
    const handle = await open(temporary, "wx+", permissions.ofNew);
    const file = new PendingFile(handle, temporary, target);
    if (before !== undefined) {
      await handle.chmod(before.mode & permissions.kept);
      // Only root can change the owner. Otherwise, the file belongs to the current user.
      await handle.chown(before.uid, before.gid).catch(() => undefined);
    }
    return file;
  }

  /** Sets the permissions, regardless of the umask. */
  chmod(mode: number): Promise<void> {
    return this.handle.chmod(mode);
  }

  async write(parts: Iterable<string | Uint8Array>): Promise<void> {
    let batch: string[] = [];
    let size = 0;
    const append = async (bytes: Uint8Array): Promise<void> => {
      this.#checksum = crc32(bytes, this.#checksum);
      await this.handle.appendFile(bytes);
    };
    const flush = async (): Promise<void> => {
      await append(Buffer.from(batch.join("")));
      batch = [];
      size = 0;
    };
    for (const part of parts) {
      if (typeof part !== "string") {
        await flush();
        await append(part);
        continue;
      }
      batch.push(part);
      size += part.length;
      if (size >= BATCH_BYTES) await flush();
    }
    await flush();
    await syncFile(this.handle);
  }

  /**
   * Reads the temporary file. Throws if the disk returns other content than the written content, or if the reader of the format
   * refuses the content.
   *
   * @throws FileProblem `unreadable`, or the system's error
   */
  async requireReadBack(reader: Reader): Promise<void> {
    const parts: Buffer[] = [];
    let checksum = 0;
    const buffer = Buffer.allocUnsafe(BATCH_BYTES);
    for (let position = 0; ; ) {
      const { bytesRead } = await this.handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      const part = buffer.subarray(0, bytesRead);
      checksum = crc32(part, checksum);
      if (reader !== "text") parts.push(Buffer.from(part));
      position += bytesRead;
    }
    if (checksum !== this.#checksum)
      throw new FileProblem("unreadable", "the disk returned other bytes than were written");
    await requireReadable(Buffer.concat(parts), reader);
  }

  /**
   * Replaces the file. If the folder can be synced, the change survives even a power failure after this
   * function returns.
   */
  async commit(): Promise<void> {
    await this.handle.close();
    await rename(this.temporary, this.target);
    // A failure is ignored, because the file is already replaced. The disk stores renames in order, so no later rename can be
    // stored without this one.
    await syncFolder(path.dirname(this.target)).catch(() => undefined);
  }

  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await removeFile(this.temporary);
  }
}

/** The next content of a whole file. */
export interface NewContent {
  readonly text: string;
  /** Checks the new content after it was written to the disk, and before it replaces the file. */
  readonly reader: Reader;
  readonly audience?: Audience;
}

/**
 * Replaces a whole file atomically, after its new content was read back.
 *
 * @throws FileProblem `unreadable`, or the system's error
 */
export async function replaceFile(target: string, { text, reader, audience }: NewContent): Promise<void> {
  const pending = await PendingFile.create(target, audience);
  try {
    await pending.write([text]);
    await pending.requireReadBack(reader);
    await pending.commit();
  } catch (problem) {
    await pending.discard();
    throw problem;
  }
}

/**
 * Atomically writes a file that a user names. Follows links, and writes to the target of a link if the target is a regular
 * file. Removes temporary files of killed runs.
 *
 * @throws FileProblem, or the system's error
 */
export async function writeUserFile(file: string, content: NewContent): Promise<void> {
  const target = await resolveLinks(file);
  requireRegularFile(target);
  await replaceFile(target, content);
  await removeTemporaryFiles([target], "gone");
}

/**
 * Writes a file that a user names. Writes into a pipe or a device, and replaces a regular file atomically. Follows links. After a
 * failure, the file still has its earlier content.
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

/** The error codes of a disk that failed or is full. Other errors of a sync mean that the file system can't sync a folder. */
const DISK_FAILED = new Set(["EIO", "ENOSPC", "EDQUOT"]);

/**
 * Waits until new, renamed and deleted names in a folder are on disk. Windows and some network file systems do not support
 * this, so a power failure can undo such changes there.
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
 * Returns a path without links, so that a write replaces the target of a link and not the link. The last link can point to a
 * file that does not exist yet.
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
