import { TextDecoder } from "node:util";
import { FunctionError } from "./function";

/** Encodings that Node decodes by another name, or with another meaning, than IANA gives them. */
const BUFFER_ENCODINGS: Readonly<Record<string, BufferEncoding>> = {
  "utf-8": "utf8",
  utf8: "utf8",
  "utf-16le": "utf16le",
  "iso-8859-1": "latin1",
  "us-ascii": "ascii",
};

/** The bytes 0x80 to 0x9f of windows-1252, which Node takes for those of ISO-8859-1. A space stands for none. */
const WINDOWS_1252 =
  "\u20ac \u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152 \u017d  \u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153 \u017e\u0178";

const UNSUPPORTED = "is not an encoding this engine has";

/** A text as bytes of an encoding. @throws FunctionError */
export function encodeText(text: string, encoding: string): Buffer {
  const name = encoding.toLowerCase();
  if (name === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  if (name === "utf-16")
    return Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, "utf16le").swap16()]);
  const simple = BUFFER_ENCODINGS[name];
  if (simple !== undefined) return encodeSimple(text, simple, encoding);
  const table = name === "windows-1252" ? windows1252() : encodingTable(encoding);
  return Buffer.concat(
    Array.from(text, (character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new FunctionError(`it has characters that are not in ${encoding}`, 0);
      return bytes;
    }),
  );
}

function encodeSimple(text: string, name: BufferEncoding, encoding: string): Buffer {
  const limit = name === "latin1" ? 0xff : name === "ascii" ? 0x7f : 0x10ffff;
  if ([...text].some((character) => character.codePointAt(0)! > limit)) {
    throw new FunctionError(`it has characters that are not in ${encoding}`, 0);
  }
  return Buffer.from(text, name);
}

/** Bytes of an encoding as a text. @throws FunctionError */
export function decodeText(bytes: Buffer, encoding: string): string {
  const name = encoding.toLowerCase();
  const simple = name === "iso-8859-1" || name === "us-ascii" ? BUFFER_ENCODINGS[name] : undefined;
  if (simple === "ascii" && bytes.some((byte) => byte > 0x7f)) throw undefinedSymbols(encoding);
  if (simple !== undefined) return bytes.toString(simple);
  if (name === "windows-1252") return decodeWindows1252(bytes, encoding);
  try {
    return decoderFor(name === "utf-16" ? "utf-16be" : name).decode(bytes);
  } catch (error) {
    if (isInvalidData(error)) throw undefinedSymbols(encoding);
    throw error;
  }
}

function windows1252(): ReadonlyMap<string, Buffer> {
  const table = new Map<string, Buffer>();
  for (let byte = 0; byte < 256; byte++) {
    const character = byte >= 0x80 && byte < 0xa0 ? WINDOWS_1252[byte - 0x80]! : String.fromCharCode(byte);
    if (!table.has(character)) table.set(character, Buffer.from([byte]));
  }
  return table;
}

function decodeWindows1252(bytes: Buffer, encoding: string): string {
  return Array.from(bytes, (byte) => {
    if (byte < 0x80 || byte >= 0xa0) return String.fromCharCode(byte);
    const character = WINDOWS_1252[byte - 0x80]!;
    if (character === " ") throw undefinedSymbols(encoding);
    return character;
  }).join("");
}

const undefinedSymbols = (encoding: string): FunctionError =>
  new FunctionError(`it has bytes that mean nothing in ${encoding}`, 0);

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
const isInvalidData = (error: unknown): boolean => codeOf(error) === "ERR_ENCODING_INVALID_ENCODED_DATA";

function decoderFor(name: string): TextDecoder {
  try {
    return new TextDecoder(name, { fatal: true });
  } catch (error) {
    if (codeOf(error) === "ERR_ENCODING_NOT_SUPPORTED")
      throw new FunctionError(`"${name}" ${UNSUPPORTED}`, 1);
    throw error;
  }
}

const tables = new Map<string, ReadonlyMap<string, Buffer>>();

/** Node only decodes, so that the way back is found by decoding every sequence of one or two bytes. */
function encodingTable(encoding: string): ReadonlyMap<string, Buffer> {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const decoder = decoderFor(encoding.toLowerCase());
  const table = new Map<string, Buffer>();
  const add = (bytes: number[]): void => {
    const buffer = Buffer.from(bytes);
    try {
      const text = decoder.decode(buffer);
      if ([...text].length === 1 && !table.has(text)) table.set(text, buffer);
    } catch (error) {
      if (!isInvalidData(error)) throw error;
    }
  };
  for (let first = 0; first < 256; first++) add([first]);
  for (let first = 0x80; first < 256; first++)
    for (let second = 0x30; second < 256; second++) add([first, second]);
  tables.set(encoding, table);
  return table;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @throws FunctionError that blames the first argument, without its text */
export function decodeBase64(text: string): Buffer {
  const plain = text.replace(/[\r\n]/g, "");
  if (!BASE64.test(plain)) throw new FunctionError("it is not base64", 0);
  return Buffer.from(plain, "base64");
}
