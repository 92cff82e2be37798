import { crc32 } from "node:zlib";
import { parseJson, stringifyJson } from "../../json";
import type { JournalEntry, JournalHead, MoveLine } from "./entries";

/** Formats a line of the journal: a checksum of eight hexadecimal digits, a space, JSON. */
export function formatLine(entry: JournalHead | JournalEntry | MoveLine): string {
  const json = stringifyJson(entry);
  return `${checksum(json)} ${json}\n`;
}

/** Formats a complete journal. */
export const formatJournal = (head: JournalHead, entries: readonly JournalEntry[]): string[] => [
  formatLine(head),
  ...entries.map(formatKept),
];

/** Formats a line that is kept when others are removed: the lines that are left replace the journal in one write. */
export const formatKept = ({ batch: _batch, ...entry }: JournalEntry): string =>
  formatLine(entry as JournalEntry);

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, "0");

/** Parses a line without its line end; undefined if it is damaged. */
export function parseLine(line: string): unknown {
  const json = line.slice(9);
  if (line[8] !== " " || line.slice(0, 8) !== checksum(json)) return undefined;
  try {
    return parseJson(json);
  } catch {
    // Only an attacker writes a valid checksum for invalid or deeply nested JSON.
    return undefined;
  }
}
