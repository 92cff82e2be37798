// Replaces node:fs in the sources. This module has only the calls that the sources use, and works on the simulated
// disk.
import { constants, readFileSync as readRealFile } from "node:fs";
import path from "node:path";
import { absolute, disk, diskCall, diskCallNow, procFile } from "./disk";
import { type Inode, systemError } from "./volume";

export { constants };

interface OpenDescriptor {
  readonly inode: Inode;
  readonly file: string;
  position: number;
}

const descriptors = new Map<number, OpenDescriptor>();
let nextDescriptor = 10;

/** Closes all files. The power failure has ended the processes that opened these files. */
export const closeAll = (): void => descriptors.clear();

export function openNow(given: string, flags: number | string, mode = 0o666): number {
  const file = absolute(given);
  const { volume } = disk();
  const isNew =
    flags === "wx" ||
    flags === "wx+" ||
    flags === "w" ||
    (typeof flags === "number" && (flags & constants.O_CREAT) !== 0);
  let inode = volume.find(file);
  if ((flags === "wx" || flags === "wx+") && inode !== undefined) throw systemError("EEXIST", "open", file);
  if (inode === undefined) {
    if (!isNew) throw systemError("ENOENT", "open", file);
    disk().checkWrite("open", file);
    inode = volume.create(file, mode);
  }
  if (flags === "w") volume.truncate(inode, 0);
  const descriptor = nextDescriptor++;
  descriptors.set(descriptor, { inode, file, position: 0 });
  return descriptor;
}

export function opened(descriptor: number): OpenDescriptor {
  const found = descriptors.get(descriptor);
  if (found === undefined) throw systemError("EBADF", "use", String(descriptor));
  return found;
}

export const closeNow = (descriptor: number): void => void descriptors.delete(descriptor);

export function readNow(
  descriptor: number,
  into: Uint8Array,
  offset: number,
  length: number,
  position: number | null,
): number {
  const found = opened(descriptor);
  const from = position ?? found.position;
  const count = Math.max(0, Math.min(length, found.inode.content.length - from));
  found.inode.content.copy(into, offset, from, from + count);
  if (position === null) found.position += count;
  return count;
}

export function writeNow(descriptor: number, bytes: Buffer, position: number | null): number {
  const found = opened(descriptor);
  disk().checkWrite("write", found.file);
  const at = position ?? found.position;
  const written = disk().volume.write(found.inode, bytes, at, found.file);
  if (position === null) found.position = at + written;
  return written;
}

class SimulatedStats {
  readonly dev = 1n;
  readonly uid = 1000;
  readonly gid = 1000;
  readonly rdev = 0;
  readonly #inode: Inode;
  readonly ino: bigint | number;
  readonly size: bigint | number;
  readonly mode: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;

  constructor(inode: Inode, isBig: boolean) {
    this.#inode = inode;
    this.ino = isBig ? BigInt(inode.number) : inode.number;
    this.size = isBig ? BigInt(inode.content.length) : inode.content.length;
    this.mode = inode.mode;
    this.mtimeNs = inode.changed;
    this.ctimeNs = inode.changed;
  }

  get mtimeMs(): number {
    return Number(this.mtimeNs);
  }

  isFile = (): boolean => !this.#inode.isFolder;
  isDirectory = (): boolean => this.#inode.isFolder;
  isFIFO = (): boolean => false;
  isSocket = (): boolean => false;
  isSymbolicLink = (): boolean => false;
  isCharacterDevice = (): boolean => false;
  isBlockDevice = (): boolean => false;
}

export const statsOf = (inode: Inode, isBig = false): SimulatedStats => new SimulatedStats(inode, isBig);

interface StatOptions {
  readonly bigint?: boolean;
  readonly throwIfNoEntry?: boolean;
}

export function statNow(given: string, { bigint = false }: StatOptions = {}): SimulatedStats {
  return statsOf(disk().volume.get(absolute(given), "stat"), bigint);
}

export const openSync = (file: string, flags: number | string, mode?: number): number =>
  diskCallNow(() => openNow(file, flags, mode));
export const closeSync = (descriptor: number): void => diskCallNow(() => closeNow(descriptor));
export const fstatSync = (descriptor: number): SimulatedStats =>
  diskCallNow(() => statsOf(opened(descriptor).inode));
export const readSync = (
  descriptor: number,
  into: Uint8Array,
  offset: number,
  length: number,
  position: number | null,
): number => diskCallNow(() => readNow(descriptor, into, offset, length, position));

export const writeSync = (
  descriptor: number,
  bytes: Buffer,
  offset: number,
  length: number,
  position: number | null,
): number => diskCallNow(() => writeNow(descriptor, bytes.subarray(offset, offset + length), position));

export function statSync(file: string, options: StatOptions = {}): SimulatedStats | undefined {
  return diskCallNow(() => {
    if (options.throwIfNoEntry === false && disk().volume.find(absolute(file)) === undefined)
      return undefined;
    return statNow(file, options);
  });
}
// The simulated disk has no links.
export const lstatSync = (file: string, options?: StatOptions) => statSync(file, options);

interface Entry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

export function readdirSync(folder: string): string[];
export function readdirSync(folder: string, options: { readonly withFileTypes: true }): Entry[];
export function readdirSync(folder: string, options?: { readonly withFileTypes: true }): (string | Entry)[] {
  return diskCallNow(() => {
    const { volume } = disk();
    const names = volume.list(absolute(folder));
    if (options?.withFileTypes !== true) return names;
    return names.map((name): Entry => {
      const { isFolder } = volume.get(`${absolute(folder)}/${name}`, "readdir");
      return { name, isFile: () => !isFolder, isDirectory: () => isFolder };
    });
  });
}

/** Reads a file of the simulated disk, a file below `/proc`, or the manifest of this package. */
export function readFileSync(file: string, encoding?: "utf8"): string | Buffer {
  const text = procFile(file);
  if (text !== undefined) return text;
  if (path.isAbsolute(file) && path.basename(file) === "package.json") return readRealFile(file, "utf8");
  const { content } = disk().volume.get(absolute(file), "open");
  return encoding === undefined ? content : content.toString(encoding);
}

export function readlinkSync(file: string): string {
  if (file === "/proc/self/ns/pid") return "pid:[1]";
  throw systemError("EINVAL", "readlink", file);
}

type Callback = (error: unknown) => void;

function syncLater(descriptor: number, done: Callback): void {
  diskCall(() => {
    const { inode, file } = opened(descriptor);
    disk().checkWrite("fsync", file);
    disk().volume.sync(inode);
  }).then(() => done(null), done);
}

export const fsync = syncLater;
export const fdatasync = syncLater;

/** Returns the absolute path. The simulated disk has no links to follow. */
export function realpathSync(given: string): string {
  disk().volume.get(absolute(given), "realpath");
  return absolute(given);
}

export const existsSync = (file: string): boolean => disk().volume.find(absolute(file)) !== undefined;

const unused = (name: string) => (): never => {
  throw new Error(`${name} is not simulated`);
};

export const rmSync = unused("rmSync");
export const rmdirSync = unused("rmdirSync");
export const accessSync = unused("accessSync");
export const mkdtempSync = unused("mkdtempSync");
export const fchmodSync = unused("fchmodSync");
export const chmodSync = unused("chmodSync");
