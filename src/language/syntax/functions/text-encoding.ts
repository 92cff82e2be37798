import { TextDecoder } from "node:util";
import { once } from "../../../schema";
import { FunctionError } from "./function";

const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");
const utf8 = (text: string): Buffer => Buffer.from(text, "utf8");

/** The encoders for encodings that contain all Unicode characters. */
const ENCODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  "utf-8": utf8,
  utf8,
  "utf-16le": utf16,
  "utf-16be": (text) => utf16(text).swap16(),
  "utf-16": (text) => Buffer.concat([Buffer.from([0xfe, 0xff]), utf16(text).swap16()]),
};

/** Returns the text of bytes; undefined if the bytes are invalid in the encoding. */
type Decode = (bytes: Buffer) => string | undefined;

/**
 * The characters for the bytes 0x80 to 0x9f in windows-1252, because Node decodes these bytes as in ISO-8859-1. A space means
 * that the byte has no character.
 */
const WINDOWS_1252 =
  "\u20ac \u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152 \u017d  \u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153 \u017e\u0178";

/** The decoders for encodings that Node decodes differently from IANA's definition. */
const DECODERS: Readonly<Record<string, Decode>> = {
  "iso-8859-1": (bytes) => bytes.toString("latin1"),
  "us-ascii": (bytes) => (bytes.some((byte) => byte > 0x7f) ? undefined : bytes.toString("latin1")),
  "windows-1252": (bytes) => {
    const characters = Array.from(bytes, (byte) =>
      byte < 0x80 || byte >= 0xa0 ? String.fromCharCode(byte) : WINDOWS_1252[byte - 0x80]!,
    );
    const isUndefined = bytes.some((byte, at) => byte >= 0x80 && characters[at] === " ");
    return isUndefined ? undefined : characters.join("");
  },
};

/** Returns the result of a function; undefined if Node throws an error with this code. */
function unless<T>(code: string, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined;
    throw error;
  }
}

function decoderFor(name: string): Decode {
  const decoder = unless("ERR_ENCODING_NOT_SUPPORTED", () => new TextDecoder(name, { fatal: true }));
  if (decoder === undefined) throw new FunctionError(`"${name}" is not an encoding this engine has`, 1);
  return (
    DECODERS[name] ?? ((bytes) => unless("ERR_ENCODING_INVALID_ENCODED_DATA", () => decoder.decode(bytes)))
  );
}

/** Returns the bytes of a text in an encoding. @throws FunctionError */
export function encodeText(text: string, encoding: string): Buffer {
  const name = encoding.toLowerCase();
  const encode = ENCODERS[name];
  if (encode !== undefined) return encode(text);
  const table = once(tables, name, () => encodingTable(decoderFor(name)));
  return Buffer.concat(
    Array.from(text, (character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new FunctionError(`it has characters that are not in ${encoding}`, 0);
      return bytes;
    }),
  );
}

/** Returns the text of bytes in an encoding. @throws FunctionError */
export function decodeText(bytes: Buffer, encoding: string): string {
  const name = encoding.toLowerCase();
  const text = decoderFor(name === "utf-16" ? "utf-16be" : name)(bytes);
  if (text === undefined) throw new FunctionError(`it has bytes that are invalid in ${encoding}`, 0);
  return text;
}

const tables = new Map<string, ReadonlyMap<string, Buffer>>();

/**
 * Returns the bytes of each character in an encoding. Node has no encoder for this encoding, so the function decodes every
 * sequence of one or two bytes.
 */
function encodingTable(decode: Decode): ReadonlyMap<string, Buffer> {
  const table = new Map<string, Buffer>();
  const add = (...bytes: number[]): void => {
    const buffer = Buffer.from(bytes);
    const text = decode(buffer);
    if (text !== undefined && [...text].length === 1 && !table.has(text)) table.set(text, buffer);
  };
  for (let first = 0; first < 256; first++) add(first);
  for (let first = 0x80; first < 256; first++)
    for (let second = 0x30; second < 256; second++) add(first, second);
  return table;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns the bytes in a base64 text. @throws FunctionError for the first argument; the error does not contain the text */
export function decodeBase64(text: string): Buffer {
  const plain = text.replace(/[\r\n]/g, "");
  if (!BASE64.test(plain)) throw new FunctionError("it is not base64", 0);
  return Buffer.from(plain, "base64");
}
