import { randomBytes } from "node:crypto";
import {
  type FileHandle,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import path from "node:path";
import { systemCode } from "./system-code";

/** How much text is gathered before it goes to the disk. */
const BATCH_BYTES = 1 << 20;
const PERMISSIONS = 0o777;

/** `.NAME.PID-RANDOM.new`, beside the file that it will become. */
export const temporaryName = (target: string): string =>
  path.join(
    path.dirname(target),
    `.${path.basename(target)}.${process.pid}-${randomBytes(4).toString("hex")}.new`,
  );

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

  /** @param target a path without a link in it, see `withoutLinks`. */
  static async create(target: string, mode = 0o666): Promise<PendingFile> {
    const before = await stat(target).catch(() => undefined);
    const temporary = temporaryName(target);
    const handle = await open(temporary, "wx", mode);
    const file = new PendingFile(handle, temporary, target);
    if (before !== undefined) {
      await handle.chmod(before.mode & PERMISSIONS);
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
    await rm(this.temporary, { force: true });
  }
}

/** Writes a whole file in one step. */
export async function replaceFile(target: string, parts: Iterable<string>): Promise<void> {
  const pending = await PendingFile.create(target);
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

/** Removes what killed runs were writing in place of these files. Only for who holds the lock. */
export async function removeLeftovers(folder: string, names: readonly string[]): Promise<void> {
  const isLeftover = (entry: string): boolean =>
    names.some(
      (name) => entry.startsWith(`.${name}.`) && /^\d+-[0-9a-f]{8}\.new$/.test(entry.slice(name.length + 2)),
    );
  for (const entry of (await readdir(folder)).filter(isLeftover)) {
    await rm(path.join(folder, entry), { force: true });
  }
}

const MOST_LINKS = 40;

/** The path with every link followed, so that writing there keeps them; the last may lead to what does not exist yet. */
export async function withoutLinks(file: string, followed = 0): Promise<string> {
  try {
    return await realpath(file);
  } catch (problem) {
    if (systemCode(problem) !== "ENOENT" || followed > MOST_LINKS) throw problem;
  }
  const found = await lstat(file).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    return withoutLinks(path.resolve(path.dirname(file), await readlink(file)), followed + 1);
  }
  const folder = await realpath(path.dirname(file));
  return path.join(folder, path.basename(file));
}
