import { FunctionError } from "./function";

/** How texts are written as bytes, and read. Undefined is what the encoding does not have. */
interface Encoding {
  readonly encode: (text: string) => Buffer | undefined;
  readonly decode: (bytes: Buffer) => string | undefined;
}

const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");

const unicode = (name: string, encode: Encoding["encode"]): Encoding => ({
  encode,
  decode: (bytes) => {
    try {
      return new TextDecoder(name, { fatal: true }).decode(bytes);
    } catch {
      return undefined;
    }
  },
});

/** One byte for each of the first characters of Unicode. */
const singleByte = (last: number): Encoding => ({
  encode: (text) =>
    Array.from(text).every((one) => one.codePointAt(0)! <= last) ? Buffer.from(text, "latin1") : undefined,
  decode: (bytes) => (bytes.every((byte) => byte <= last) ? bytes.toString("latin1") : undefined),
});

const UTF_8 = unicode("utf-8", (text) => Buffer.from(text, "utf8"));

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ["utf-8", UTF_8],
  ["utf8", UTF_8],
  ["utf-16le", unicode("utf-16le", utf16)],
  ["utf-16be", unicode("utf-16be", (text) => utf16(text).swap16())],
  ["utf-16", unicode("utf-16be", (text) => Buffer.concat([Buffer.from([0xfe, 0xff]), utf16(text).swap16()]))],
  ["iso-8859-1", singleByte(0xff)],
  ["us-ascii", singleByte(0x7f)],
]);

function encodingOf(name: string): Encoding {
  const encoding = ENCODINGS.get(name.toLowerCase());
  if (encoding !== undefined) return encoding;
  throw new FunctionError(
    `"${name}" is not an encoding that this engine has, which are ${[...ENCODINGS.keys()].join(", ")}`,
    1,
  );
}

/** A text as bytes of an encoding. @throws FunctionError */
export function encodeText(text: string, encoding: string): Buffer {
  const bytes = encodingOf(encoding).encode(text);
  if (bytes === undefined) throw new FunctionError(`it has characters that are not in ${encoding}`, 0);
  return bytes;
}

/** Bytes of an encoding as a text. @throws FunctionError */
export function decodeText(bytes: Buffer, encoding: string): string {
  const text = encodingOf(encoding).decode(bytes);
  if (text === undefined) throw new FunctionError(`it has bytes that mean nothing in ${encoding}`, 0);
  return text;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @throws FunctionError that blames the first argument, without its text */
export function decodeBase64(text: string): Buffer {
  const plain = text.replace(/[\r\n]/g, "");
  if (!BASE64.test(plain)) throw new FunctionError("it is not base64", 0);
  return Buffer.from(plain, "base64");
}
