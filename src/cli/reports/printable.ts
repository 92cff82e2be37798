import { oneLine } from "../../text";
import type { Report } from "./model";

/** Each line of a text as `oneLine` writes it. */
export const printableLines = (text: string): string => text.split("\n").map(oneLine).join("\n");

/** Texts that we set over several lines. All others are one: a line end in them came with a name. */
const OVER_LINES: ReadonlySet<string> = new Set(["diff", "detail"]);

/** A report for formats that people read: no text in it ends a line, or steers what shows it. */
export const printableReport = (report: Report): Report => printable(report, "") as Report;

function printable(value: unknown, name: string): unknown {
  if (typeof value === "string") return OVER_LINES.has(name) ? printableLines(value) : oneLine(value);
  if (Array.isArray(value)) return value.map((one) => printable(one, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, printable(one, key)]));
}
