import { oneLine } from "../../text";
import type { Report } from "../document/model";

/** Makes each line of a text safe to print. */
export const printableLines = (text: string): string => text.split("\n").map(oneLine).join("\n");

/** Fields that hold several lines. In all other fields a line end can only come from a name. */
const MULTILINE_FIELDS: ReadonlySet<string> = new Set(["detail"]);

/** A report for formats that people read. No name in it can end a line or contain control characters. */
export const printableReport = (report: Report): Report => printable(report, "") as Report;

function printable(value: unknown, name: string): unknown {
  if (typeof value === "string") return MULTILINE_FIELDS.has(name) ? printableLines(value) : oneLine(value);
  if (Array.isArray(value)) return value.map((one) => printable(one, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, printable(one, key)]));
}
