import { crc32 } from "node:zlib";
import { parseJson, stringifyJson } from "../../json";
import type { Entry, Head, MoveLine } from "./entries";

/** One line of a journal: a checksum of eight hexadecimal digits, a space, JSON. */
export function formatLine(entry: Head | Entry | MoveLine): string {
  const json = stringifyJson(entry);
  return `${checksum(json)} ${json}\n`;
}

/** A whole journal. */
export const formatLines = (head: Head, entries: readonly Entry[]): string[] =>
  [head, ...entries].map(formatLine);

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, "0");

/** The JSON of a line without its end; nothing where it is not as it was written. */
export function parseLine(line: string): unknown {
  const json = line.slice(9);
  if (line[8] !== " " || line.slice(0, 8) !== checksum(json)) return undefined;
  try {
    return parseJson(json);
  } catch {
    // Only who wants to do harm writes a checksum for what is no JSON, or is nested without an end.
    return undefined;
  }
}
