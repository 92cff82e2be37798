import { ConnectionError, DEFAULT_FRAME_SIZE, ERROR, FLAG, FRAME, PREFACE, violation } from "./protocol";

/** The bytes before what a frame carries: its length, its kind, its flags, and the stream that it belongs to. */
const HEAD = 9;

export type OnFrame = (kind: number, flags: number, stream: number, payload: Buffer) => void;

/** Finds the frames in what a client sends, however that is cut into pieces (RFC 9113, section 4.1). */
export class FrameReader {
  readonly #onFrame: OnFrame;
  /** What came of a frame that isn't whole. */
  #rest: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** @throws ConnectionError where the client speaks something else, or sends a frame that is too large */
  read(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let position = this.#hasBegun ? 0 : prefaceIn(bytes);
    this.#hasBegun ||= position === PREFACE.length;
    while (this.#hasBegun && bytes.length - position >= HEAD) {
      const length = bytes.readUIntBE(position, 3);
      if (length > DEFAULT_FRAME_SIZE) throw wrongSize("a frame larger than allowed");
      const end = position + HEAD + length;
      if (end > bytes.length) break;
      const kind = bytes[position + 3]!;
      const stream = bytes.readUInt32BE(position + 5) & WITHOUT_FIRST_BIT;
      checkShape(kind, stream, length);
      this.#onFrame(kind, bytes[position + 4]!, stream, bytes.subarray(position + HEAD, end));
      position = end;
    }
    this.#rest = bytes.subarray(position);
  }
}

/** The length of what a client says before its first frame; 0 as long as that isn't whole. */
function prefaceIn(bytes: Buffer): number {
  const begin = bytes.subarray(0, PREFACE.length);
  if (!begin.equals(PREFACE.subarray(0, begin.length))) throw violation("the client does not speak HTTP/2");
  return begin.length === PREFACE.length ? PREFACE.length : 0;
}

/** What stands before a number of 31 bits means nothing. */
export const WITHOUT_FIRST_BIT = 0x7fff_ffff;
export const PRIORITY_LENGTH = 5;
export const SETTING_LENGTH = 6;

const LENGTHS: ReadonlyMap<number, number> = new Map([
  [FRAME.PRIORITY, PRIORITY_LENGTH],
  [FRAME.RST_STREAM, 4],
  [FRAME.PING, 8],
  [FRAME.WINDOW_UPDATE, 4],
]);
/** Those that are about the connection, and those that may be about either. All others that are known have a stream. */
const ABOUT_CONNECTION: ReadonlySet<number> = new Set([FRAME.SETTINGS, FRAME.PING, FRAME.GOAWAY]);
const ABOUT_EITHER: ReadonlySet<number> = new Set([FRAME.WINDOW_UPDATE]);

function checkShape(kind: number, stream: number, length: number): void {
  if (length !== (LENGTHS.get(kind) ?? length)) throw wrongSize("a frame of a wrong length");
  if (kind === FRAME.SETTINGS && length % SETTING_LENGTH !== 0) throw wrongSize("half a setting");
  if (kind > FRAME.CONTINUATION || ABOUT_EITHER.has(kind)) return;
  if (ABOUT_CONNECTION.has(kind) !== (stream === 0)) throw violation("a frame that is about a wrong stream");
}

const wrongSize = (what: string): ConnectionError => new ConnectionError(ERROR.FRAME_SIZE_ERROR, what);

/** What a frame carries without the padding that it may have (section 6.1). */
export function unpadded(flags: number, payload: Buffer): Buffer {
  if ((flags & FLAG.PADDED) === 0) return payload;
  const end = payload.length - (payload[0] ?? 0);
  if (end < 1) throw violation("more padding than there is");
  return payload.subarray(1, end);
}

/** The begin of a frame, whose payload of so many bytes comes after it. */
export function frameHead(kind: number, flags: number, stream: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD);
  head.writeUIntBE(length, 0, 3);
  head[3] = kind;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return head;
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
