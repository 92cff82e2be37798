import { countNum, NUMBER, number, STRING } from "../../values";
import { FunctionError, type FunctionTable, fn, textFn } from "./function";
import {
  formatOffset,
  formatTimestamp,
  localDate,
  pad,
  parseDuration,
  parseTimestamp,
  type Timestamp,
} from "./timestamp";

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Matches one part of a date format: a text in quotes, a sequence of one letter, or a sequence of other characters. */
const PIECE = /'(?:[^']|'')*'|'|([A-Za-z])\1*|[^'A-Za-z]+/g;

const half = (hour: number): string => (hour < 12 ? "am" : "pm");
const clock = (hour: number): number => hour % 12 || 12;

/** For each letter of a date format, the function that formats this part of the date. */
const VERBS: Readonly<Record<string, (date: Date, offset: number) => string>> = {
  YY: (date) => pad(date.getUTCFullYear() % 100),
  YYYY: (date) => pad(date.getUTCFullYear(), 4),
  M: (date) => String(date.getUTCMonth() + 1),
  MM: (date) => pad(date.getUTCMonth() + 1),
  MMM: (date) => MONTHS[date.getUTCMonth()]!.slice(0, 3),
  MMMM: (date) => MONTHS[date.getUTCMonth()]!,
  D: (date) => String(date.getUTCDate()),
  DD: (date) => pad(date.getUTCDate()),
  EEE: (date) => DAYS[date.getUTCDay()]!.slice(0, 3),
  EEEE: (date) => DAYS[date.getUTCDay()]!,
  h: (date) => String(date.getUTCHours()),
  hh: (date) => pad(date.getUTCHours()),
  H: (date) => String(clock(date.getUTCHours())),
  HH: (date) => pad(clock(date.getUTCHours())),
  AA: (date) => half(date.getUTCHours()).toUpperCase(),
  aa: (date) => half(date.getUTCHours()),
  m: (date) => String(date.getUTCMinutes()),
  mm: (date) => pad(date.getUTCMinutes()),
  s: (date) => String(date.getUTCSeconds()),
  ss: (date) => pad(date.getUTCSeconds()),
  Z: (_, offset) => (offset === 0 ? "Z" : formatOffset(offset, ":")),
  ZZZ: (_, offset) => (offset === 0 ? "UTC" : formatOffset(offset, "")),
  ZZZZ: (_, offset) => formatOffset(offset, ""),
  ZZZZZ: (_, offset) => formatOffset(offset, ":"),
};

function formatDate(format: string, timestamp: Timestamp): string {
  const date = localDate(timestamp);
  return format.replace(PIECE, (piece, letter?: string) => {
    if (piece === "'") throw new FunctionError("a quote is not closed", 0);
    if (piece.startsWith("'")) return piece === "''" ? "'" : piece.slice(1, -1).replaceAll("''", "'");
    if (letter === undefined) return piece;
    const verb = VERBS[piece];
    if (verb === undefined)
      throw new FunctionError(`"${piece}" is not a part of a date; put other letters in quotes`, 0);
    return verb(date, timestamp.offset);
  });
}

const DATE_FUNCTIONS: FunctionTable = {
  formatdate: textFn("format time", (format, time) => formatDate(format, parseTimestamp(time, 1))),
  timeadd: textFn("timestamp duration", (time, duration) => {
    const start = parseTimestamp(time, 0);
    const nanoseconds = start.nanoseconds + parseDuration(duration, 1);
    return formatTimestamp({ ...start, nanoseconds });
  }),
  timecmp: fn({ timestamp_a: STRING, timestamp_b: STRING }, NUMBER, ([a, b]) => {
    const first = parseTimestamp(a.text, 0).nanoseconds;
    const second = parseTimestamp(b.text, 1).nanoseconds;
    if (first === second) return number(countNum(0));
    return number(countNum(first < second ? -1 : 1));
  }),
};

export = DATE_FUNCTIONS;
