import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { explainFailedOpen, FileProblem, isNullDevice, kindOf, notAFile } from "./file-problem";
import { systemCode } from "./system-code";

// Windows has none of these.
const { O_NONBLOCK = 0, O_NOFOLLOW = 0, O_NOCTTY = 0 } = constants;

const MEBIBYTE = 1 << 20;
/** The most that is read of a token, a key, a certificate or a lock, in bytes. */
export const SMALL_FILE = MEBIBYTE;
/** The most that is read of any other file, in bytes: JavaScript has no longer texts. */
export const LARGE_FILE = 512 * MEBIBYTE;

export interface ReadOptions {
  /** Bytes. */
  readonly maxBytes?: number;
  /** `refuse` where the name is ours, so that a symbolic link at that place is somebody's mistake or trap. */
  readonly links?: "follow" | "refuse";
}

/** Numbers that tests change. */
export interface PipeLimits {
  /** How long a pipe may stay silent while somebody has it open for writing, in milliseconds. */
  readonly silenceMs: number;
  /** How long it may take until somebody opens it for writing, in milliseconds. */
  readonly writerMs: number;
}

const PIPE_LIMITS: PipeLimits = { silenceMs: 60_000, writerMs: 10_000 };
const PIPE_POLL_MS = 5;

/** Never waits for the other end of a pipe, and never makes a terminal the controlling one of this process. */
const flagsOf = (mode: number, { links = "follow" }: ReadOptions): number =>
  mode | O_NONBLOCK | O_NOCTTY | (links === "refuse" ? O_NOFOLLOW : 0);

/**
 * Opens a regular file. What it is, is asked of the open file, so that nobody can put something else in its place in
 * between.
 *
 * @param mode such as `constants.O_RDWR`
 * @throws FileProblem where something else stands there; the system's error otherwise, such as ENOENT
 */
export async function openFile(
  file: string,
  options: ReadOptions = {},
  mode: number = constants.O_RDONLY,
): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(file, flagsOf(mode, options));
  } catch (problem) {
    throw explainFailedOpen(file, problem);
  }
  const kind = kindOf(await handle.stat());
  if (kind === undefined) return handle;
  await handle.close();
  throw notAFile(kind);
}

/** Reads the rest of an open file. @throws FileProblem `too_large` */
export async function readAll(
  handle: FileHandle,
  { maxBytes = LARGE_FILE }: ReadOptions = {},
): Promise<Buffer> {
  const gathered = new Gathered(maxBytes, (await handle.stat()).size);
  for (;;) {
    const { bytesRead } = await handle.read(gathered.room, 0, gathered.room.length, null);
    if (bytesRead === 0) return gathered.whole();
    gathered.add(bytesRead);
  }
}

/**
 * Reads a regular file.
 *
 * @throws FileProblem where something else stands there, or it is too large; the system's error otherwise
 */
export async function readFile(file: string, options: ReadOptions = {}): Promise<Buffer> {
  const handle = await openFile(file, options);
  try {
    return await readAll(handle, options);
  } finally {
    await handle.close();
  }
}

/** The same at once, for what is read before anything else goes on. */
export function readFileNow(file: string, options: ReadOptions = {}): Buffer {
  return withOpenFile(file, options, (descriptor) => {
    const found = fstatSync(descriptor);
    const kind = kindOf(found);
    if (kind !== undefined) throw notAFile(kind);
    return readDescriptor(descriptor, new Gathered(options.maxBytes ?? LARGE_FILE, found.size), undefined);
  });
}

/**
 * Reads what a person named on the command line: a regular file, the empty device, or a pipe such as `<(command)`. A
 * pipe has to be written to within a minute.
 *
 * @throws FileProblem where something else stands there, it is too large, or nobody writes to it
 */
export function readNamedFile(
  file: string,
  options: Pick<ReadOptions, "maxBytes"> = {},
  limits = PIPE_LIMITS,
): Buffer {
  return withOpenFile(file, options, (descriptor) => {
    const found = fstatSync(descriptor);
    if (isNullDevice(found)) return Buffer.alloc(0);
    const kind = kindOf(found);
    if (kind !== undefined && !found.isFIFO())
      throw new FileProblem("not_a_file", `it is ${kind}, and a file or a pipe is needed here`);
    const gathered = new Gathered(options.maxBytes ?? LARGE_FILE, found.size);
    return readDescriptor(descriptor, gathered, found.isFIFO() ? limits : undefined);
  });
}

function withOpenFile<T>(file: string, options: ReadOptions, work: (descriptor: number) => T): T {
  let descriptor: number;
  try {
    descriptor = openSync(file, flagsOf(constants.O_RDONLY, options));
  } catch (problem) {
    throw explainFailedOpen(file, problem);
  }
  try {
    return work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readDescriptor(descriptor: number, gathered: Gathered, pipe: PipeLimits | undefined): Buffer {
  let since = performance.now();
  for (;;) {
    const count = readSome(descriptor, gathered.room);
    if (count !== undefined && count > 0) {
      gathered.add(count);
      since = performance.now();
      continue;
    }
    // The end of a file; of a pipe as well, once somebody has written to it.
    if (count === 0 && (pipe === undefined || gathered.size > 0)) return gathered.whole();
    const patience = count === 0 ? pipe!.writerMs : (pipe?.silenceMs ?? 0);
    if (performance.now() - since > patience) throw silent(patience);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_POLL_MS);
  }
}

/** The number of bytes; 0 at the end, and undefined where nothing has come yet. */
function readSome(descriptor: number, room: Buffer): number | undefined {
  try {
    return readSync(descriptor, room, 0, room.length, null);
  } catch (problem) {
    if (systemCode(problem) === "EAGAIN") return undefined;
    throw problem;
  }
}

const silent = (milliseconds: number): FileProblem =>
  new FileProblem(
    "silent",
    `it is a pipe, and nothing was written to it within ${Math.round(milliseconds / 1000)} s`,
  );

const CHUNK = 1 << 16;

/** Bytes as they come, up to a limit. */
class Gathered {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  size = 0;
  /** Where the next bytes go. */
  room: Buffer;

  constructor(maxBytes: number, expected: number) {
    this.#maxBytes = maxBytes;
    if (expected > maxBytes) this.#refuse();
    // One byte more than expected, so that a file that did not grow is read by one call and its end by the next.
    this.room = Buffer.allocUnsafe(Math.max(CHUNK, expected + 1));
  }

  add(count: number): void {
    this.size += count;
    if (this.size > this.#maxBytes) this.#refuse();
    this.#chunks.push(this.room.subarray(0, count));
    const rest = this.room.subarray(count);
    this.room = rest.length > 0 ? rest : Buffer.allocUnsafe(CHUNK);
  }

  whole(): Buffer {
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }

  #refuse(): never {
    throw new FileProblem(
      "too_large",
      `it holds more than ${this.#maxBytes / MEBIBYTE} MiB, the most that is read here`,
    );
  }
}
