import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import {
  describeKind,
  explainFailedOpen,
  FileProblem,
  isNullDevice,
  notAFile,
  silentPipe,
  systemCode,
} from "./file-problem";

// These flags are undefined on Windows.
const { O_NONBLOCK = 0, O_NOFOLLOW = 0, O_NOCTTY = 0 } = constants;

const MEBIBYTE = 1 << 20;
/** Size limit of a token, a key, a certificate or a lock, in bytes. */
export const SMALL_FILE = MEBIBYTE;
/** Size limit of any other file, in bytes. A JavaScript string can't be longer. */
export const LARGE_FILE = 512 * MEBIBYTE;

export interface ReadOptions {
  /** Bytes. */
  readonly maxBytes?: number;
  /**
   * The treatment of symbolic links. Use `refuse` for files that Steward creates, because a link there is a mistake or an
   * attack.
   */
  readonly links?: "follow" | "refuse";
}

/**
 * The time limits for reading a pipe, in milliseconds. `maxSilenceMs` is the maximum wait for data while the pipe has a writer.
 * Tests use shorter limits.
 */
const PIPE_LIMITS = { maxSilenceMs: 60_000, maxWaitForWriterMs: 10_000 };
const PIPE_POLL_MS = 5;

/**
 * Returns the flags to open a file. With these flags, the open does not wait for the other end of a pipe. A terminal does not
 * become the controlling terminal of this process.
 */
const flagsOf = (mode: number, { links = "follow" }: ReadOptions): number =>
  mode | O_NONBLOCK | O_NOCTTY | (links === "refuse" ? O_NOFOLLOW : 0);

/**
 * Opens a regular file. The kind is checked after the open, so that no process can replace the file between the check and the
 * open.
 *
 * @param mode such as `constants.O_RDWR`
 * @throws FileProblem for a path that is not a regular file; for other failures the system's error, such as ENOENT
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
  const kind = describeKind(await handle.stat());
  if (kind === undefined) return handle;
  await handle.close();
  throw notAFile(kind);
}

/** Reads an open file from the current position to the end. @throws FileProblem `too_large` */
export async function readAll(
  handle: FileHandle,
  { maxBytes = LARGE_FILE }: ReadOptions = {},
): Promise<Buffer> {
  const buffer = new ByteBuffer(maxBytes, (await handle.stat()).size);
  for (;;) {
    const { bytesRead } = await handle.read(buffer.free, 0, buffer.free.length, null);
    if (bytesRead === 0) return buffer.toBuffer();
    buffer.add(bytesRead);
  }
}

/**
 * Reads a regular file.
 *
 * @throws FileProblem for a path that is not a regular file, or a file that is too large; for other failures the system's error
 */
export async function readFile(file: string, options: ReadOptions = {}): Promise<Buffer> {
  const handle = await openFile(file, options);
  try {
    return await readAll(handle, options);
  } finally {
    await handle.close();
  }
}

/** Reads a file like `readFile`, but synchronously, for startup. */
export function readFileSync(file: string, options: ReadOptions = {}): Buffer {
  return withOpenFile(file, options, (descriptor) => {
    const found = fstatSync(descriptor);
    const kind = describeKind(found);
    if (kind !== undefined) throw notAFile(kind);
    return readDescriptor(descriptor, new ByteBuffer(options.maxBytes ?? LARGE_FILE, found.size), undefined);
  });
}

/**
 * Reads a file that a user named on the command line. The file can be a regular file, the null device, or a pipe such
 * as `<(command)`. A pipe must not be silent for more than a minute.
 *
 * @throws FileProblem for any other path, a file that is too large, or a pipe without a writer
 */
export function readUserFile(
  file: string,
  options: Pick<ReadOptions, "maxBytes"> = {},
  limits = PIPE_LIMITS,
): Buffer {
  return withOpenFile(file, options, (descriptor) => {
    const found = fstatSync(descriptor);
    if (isNullDevice(found)) return Buffer.alloc(0);
    const kind = describeKind(found);
    if (kind !== undefined && !found.isFIFO())
      throw new FileProblem("not_a_file", `it is ${kind}, not a file or a pipe`);
    const buffer = new ByteBuffer(options.maxBytes ?? LARGE_FILE, found.size);
    return readDescriptor(descriptor, buffer, found.isFIFO() ? limits : undefined);
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

function readDescriptor(descriptor: number, buffer: ByteBuffer, pipe: typeof PIPE_LIMITS | undefined) {
  let lastRead = performance.now();
  for (;;) {
    const count = tryRead(descriptor, buffer.free);
    if (count !== undefined && count > 0) {
      buffer.add(count);
      lastRead = performance.now();
      continue;
    }
    // Without more bytes, this is the end of a file, or of a pipe whose writer has written something.
    if (count === 0 && (pipe === undefined || buffer.size > 0)) return buffer.toBuffer();
    const timeoutMs = count === 0 ? pipe!.maxWaitForWriterMs : (pipe?.maxSilenceMs ?? 0);
    if (performance.now() - lastRead > timeoutMs) throw silentPipe("written to", timeoutMs);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_POLL_MS);
  }
}

/**
 * Reads bytes into `room`, and returns their number. Returns 0 at the end of the file, and undefined if no data is available
 * yet.
 */
function tryRead(descriptor: number, room: Buffer): number | undefined {
  try {
    return readSync(descriptor, room, 0, room.length, null);
  } catch (problem) {
    if (systemCode(problem) === "EAGAIN") return undefined;
    throw problem;
  }
}

const CHUNK = 1 << 16;

/** A growing buffer with a size limit. */
class ByteBuffer {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  size = 0;
  free: Buffer;

  constructor(maxBytes: number, expected: number) {
    this.#maxBytes = maxBytes;
    if (expected > maxBytes) this.#refuse();
    // The buffer has one more byte than the file. One read then returns the whole file, and a second read finds the end of the
    // file.
    this.free = Buffer.allocUnsafe(Math.max(CHUNK, expected + 1));
  }

  add(count: number): void {
    this.size += count;
    if (this.size > this.#maxBytes) this.#refuse();
    this.#chunks.push(this.free.subarray(0, count));
    const rest = this.free.subarray(count);
    this.free = rest.length > 0 ? rest : Buffer.allocUnsafe(CHUNK);
  }

  toBuffer(): Buffer {
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }

  #refuse(): never {
    throw new FileProblem("too_large", `it is larger than the limit of ${this.#maxBytes / MEBIBYTE} MiB`);
  }
}
