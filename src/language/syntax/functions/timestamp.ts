import { FunctionError } from "./function";

/** A moment as a timestamp names it: nanoseconds since 1970 in UTC, and the offset it was written with, in minutes. */
export interface Timestamp {
  readonly nanoseconds: bigint;
  readonly offset: number;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;
const MILLION = 1_000_000n;

/** @throws FunctionError that blames the argument */
export function parseTimestamp(text: string, argument: number): Timestamp {
  const match = RFC3339.exec(text);
  const parts = match?.slice(1, 7).map(Number) ?? [];
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  const date = match === null ? undefined : utcDate(year, month - 1, day);
  const [, , , , , , , fraction = "", sign, offsetHour = "0", offsetMinute = "0"] = match ?? [];
  if (
    date === undefined ||
    date.getUTCMonth() !== month - 1 ||
    date.getUTCDate() !== day ||
    hour > 23 ||
    minute > 59 ||
    second > 59 ||
    Number(offsetHour) > 23 ||
    Number(offsetMinute) > 59
  ) {
    throw new FunctionError("it is not a timestamp such as 2024-05-31T18:00:00Z (RFC 3339)", argument);
  }
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const milliseconds = date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000;
  return {
    nanoseconds: BigInt(milliseconds) * MILLION + BigInt(fraction.slice(0, 9).padEnd(9, "0")),
    offset,
  };
}

/** `Date.UTC` takes years below 100 for the twentieth century. */
function utcDate(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}

/** The date and time on the clock where the timestamp was written. */
export function localDate({ nanoseconds, offset }: Timestamp): Date {
  const milliseconds = nanoseconds / MILLION - (nanoseconds % MILLION < 0n ? 1n : 0n);
  return new Date(Number(milliseconds) + offset * 60_000);
}

export const pad = (value: number, length = 2): string => value.toString().padStart(length, "0");

/** The offset from UTC, such as "+02:00". */
export function formatOffset(offset: number, colon: string): string {
  const size = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}${colon}${pad(size % 60)}`;
}

/** RFC 3339, whole seconds. */
export function formatTimestamp(timestamp: Timestamp): string {
  const date = localDate(timestamp);
  const day = `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  const time = `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
  return `${day}T${time}${timestamp.offset === 0 ? "Z" : formatOffset(timestamp.offset, ":")}`;
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  "\u00b5s": 1000n,
  "\u03bcs": 1000n,
  ms: MILLION,
  s: 1000n * MILLION,
  m: 60_000n * MILLION,
  h: 3_600_000n * MILLION,
};

const DURATION = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+|0)$/;
const DURATION_PART = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/g;
const LONGEST = 2n ** 63n;

/** A duration such as "1h30m", in nanoseconds. @throws FunctionError that blames the argument */
export function parseDuration(text: string, argument: number): bigint {
  const [, sign, parts] = DURATION.exec(text) ?? [];
  if (parts === undefined)
    throw new FunctionError('it is not a duration such as "1h30m" or "-10s"', argument);
  let total = 0n;
  for (const [, whole = "", fraction = "", unit] of parts.matchAll(DURATION_PART)) {
    const size = UNITS[unit!]!;
    total += BigInt(whole || "0") * size + (BigInt(fraction || "0") * size) / 10n ** BigInt(fraction.length);
  }
  if (total >= LONGEST) throw new FunctionError("the duration is too long", argument);
  return sign === "-" ? -total : total;
}
