import type { Scanner } from "./scanner";

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]?))/gu;
const SIMPLE: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
const LAST_CODE_POINT = 0x10ffff;

/** Replaces the backslash escapes of a quoted text. */
export function unescapeQuoted(text: string, start: number, scanner: Scanner): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPE, (written, short, long, simple, offset: number) => {
    const range = { start: start + offset, end: start + offset + written.length };
    if (short === undefined && long === undefined) {
      const plain = SIMPLE[simple];
      if (plain !== undefined) return plain;
      throw scanner.error(
        "Invalid escape sequence",
        `"${written}" is not an escape sequence; a backslash is written "\\\\".`,
        range,
      );
    }
    const code = Number.parseInt(short ?? long, 16);
    if (code <= LAST_CODE_POINT && (code < 0xd800 || code > 0xdfff)) return String.fromCodePoint(code);
    throw scanner.error(
      "Invalid escape sequence",
      `There is no character U+${(short ?? long).toUpperCase()}.`,
      range,
    );
  });
}
