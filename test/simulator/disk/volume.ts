import type { Random } from "../time/random";

/**
 * Makes a system error with the fields that Node sets. The error has no stack trace, because making one takes long and
 * nothing reads it.
 */
export function systemError(code: string, call: string, path: string): NodeJS.ErrnoException {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: simulated, ${call} '${path}'`);
  Error.stackTraceLimit = stackTraceLimit;
  return Object.assign(error, { code, syscall: call, path });
}

/** A write to a file that is not synced yet. A power failure can lose the write. */
interface UnsyncedWrite {
  readonly position: number;
  readonly bytes: Buffer;
  /** The new length of the file, if the write is a truncation. */
  readonly length?: number;
}

/** A file or a folder. */
export interface Inode {
  readonly number: number;
  readonly isFolder: boolean;
  content: Buffer;
  /** The content that survives a power failure. */
  durable: Buffer;
  unsynced: UnsyncedWrite[];
  mode: number;
  /** The modification time that `stat` returns. The time is a counter, so that each change has a later time. */
  changed: bigint;
}

type Names = Map<string, Inode>;

/** The bytes of a sector. A power failure keeps or loses a sector as a whole. */
const SECTOR = 512;

/**
 * A disk with a cache. Programs see a write at once, but the write survives a power failure only after a sync. As in a
 * file system with a journal, changes of names reach the disk in their order. The contents of files reach the disk in
 * any order.
 */
export class Volume {
  #names: Names = new Map();
  /** The changes of names that are not on disk yet, oldest first. */
  #unsyncedNames: ((names: Names) => void)[] = [];
  #durableNames: Names = new Map();
  #nextInode = 1;
  #time = 1n;
  /** The number of bytes that can still be written. Undefined if the disk has no limit. */
  room: number | undefined;
  /** Called with the path of a file after its name or content changed. */
  onChange: ((path: string, what: "written" | "linked" | "unlinked") => void) | undefined;

  constructor(folders: readonly string[]) {
    for (const folder of folders) this.#names.set(folder, this.#inode(true));
    this.#durableNames = new Map(this.#names);
  }

  find(path: string): Inode | undefined {
    return this.#names.get(path);
  }

  /** @throws ENOENT */
  get(path: string, call: string): Inode {
    return this.#names.get(path) ?? fail("ENOENT", call, path);
  }

  list(folder: string): string[] {
    const prefix = `${folder}/`;
    return [...this.#names.keys()]
      .filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes("/"))
      .map((path) => path.slice(prefix.length));
  }

  /** Adds a file that is already synced. */
  place(path: string, text: string): void {
    const inode = this.#inode(false);
    inode.content = Buffer.from(text);
    inode.durable = inode.content;
    this.#rename((names) => names.set(path, inode));
    this.syncNames();
  }

  create(path: string, mode: number): Inode {
    const inode = this.#inode(false);
    inode.mode = mode;
    this.#rename((names) => names.set(path, inode));
    this.onChange?.(path, "linked");
    return inode;
  }

  link(from: string, to: string): void {
    const inode = this.get(from, "link");
    if (this.#names.has(to)) fail("EEXIST", "link", to);
    this.#rename((names) => names.set(to, inode));
    this.onChange?.(to, "linked");
  }

  rename(from: string, to: string): void {
    const inode = this.get(from, "rename");
    this.#rename((names) => {
      names.delete(from);
      names.set(to, inode);
    });
    this.onChange?.(to, "written");
  }

  unlink(path: string): void {
    this.get(path, "unlink");
    this.#rename((names) => names.delete(path));
    this.onChange?.(path, "unlinked");
  }

  write(inode: Inode, bytes: Buffer, position: number, path: string): number {
    const growth = Math.max(0, position + bytes.length - inode.content.length);
    const fits =
      this.room === undefined || growth <= this.room ? bytes.length : bytes.length - growth + this.room;
    if (fits <= 0) fail("ENOSPC", "write", path);
    const written = bytes.subarray(0, fits);
    if (this.room !== undefined) this.room -= Math.min(this.room, growth);
    inode.content = overwritten(inode.content, written, position);
    inode.unsynced.push({ position, bytes: Buffer.from(written) });
    inode.changed = this.#time++;
    this.onChange?.(path, "written");
    return fits;
  }

  truncate(inode: Inode, length: number): void {
    inode.content = resized(inode.content, length);
    inode.unsynced.push({ position: 0, bytes: Buffer.alloc(0), length });
    inode.changed = this.#time++;
  }

  sync(inode: Inode): void {
    if (inode.isFolder) this.syncNames();
    inode.durable = inode.content;
    inode.unsynced = [];
  }

  syncNames(): void {
    this.#durableNames = new Map(this.#names);
    this.#unsyncedNames = [];
  }

  /** Simulates a power failure: keeps some of the unsynced changes, chosen at random, and loses the others. */
  loseUnsynced(random: Random): void {
    const kept = this.#unsyncedNames.slice(0, random.below(this.#unsyncedNames.length + 1));
    for (const change of kept) change(this.#durableNames);
    this.#names = new Map(this.#durableNames);
    this.#unsyncedNames = [];
    for (const inode of new Set(this.#names.values())) {
      for (const write of inode.unsynced) inode.durable = survived(inode.durable, write, random);
      inode.content = inode.durable;
      inode.unsynced = [];
      inode.changed = this.#time++;
    }
  }

  files(): [path: string, content: Buffer][] {
    return [...this.#names]
      .filter(([, { isFolder }]) => !isFolder)
      .map(([path, { content }]) => [path, content]);
  }

  #rename(change: (names: Names) => void): void {
    change(this.#names);
    this.#unsyncedNames.push(change);
  }

  #inode(isFolder: boolean): Inode {
    const empty = Buffer.alloc(0);
    return {
      number: this.#nextInode++,
      isFolder,
      content: empty,
      durable: empty,
      unsynced: [],
      mode: 0o600,
      changed: this.#time++,
    };
  }
}

function fail(code: string, call: string, path: string): never {
  throw systemError(code, call, path);
}

function resized(content: Buffer, length: number): Buffer {
  return length <= content.length
    ? content.subarray(0, length)
    : Buffer.concat([content, Buffer.alloc(length - content.length)]);
}

function overwritten(content: Buffer, bytes: Buffer, position: number): Buffer {
  const result = Buffer.alloc(Math.max(content.length, position + bytes.length));
  content.copy(result);
  bytes.copy(result, position);
  return result;
}

/** Returns the content after a power failure: with all of an unsynced write, nothing of it, or some of its sectors. */
function survived(durable: Buffer, { position, bytes, length }: UnsyncedWrite, random: Random): Buffer {
  if (length !== undefined) return random.chance(0.5) ? resized(durable, length) : durable;
  const fate = random.weighted({ all: 2, nothing: 2, torn: 1 });
  if (fate === "nothing") return durable;
  let result = durable;
  for (let at = 0; at < bytes.length; at += SECTOR) {
    if (fate === "torn" && random.chance(0.5)) continue;
    result = overwritten(result, bytes.subarray(at, at + SECTOR), position + at);
  }
  return result;
}
