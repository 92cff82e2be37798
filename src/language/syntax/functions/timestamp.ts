import { FunctionError } from "./function";

/** A point in time: nanoseconds since 1970 in UTC, and the offset of the timestamp in minutes. */
export interface Timestamp {
  readonly nanoseconds: bigint;
  readonly offset: number;
}

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;
const MILLION = 1_000_000n;

/** Returns the point in time of an RFC 3339 timestamp; undefined for any other text. */
export function readTimestamp(text: string): Timestamp | undefined {
  const [, local, fraction = "", sign, hours = "0", minutes = "0"] = RFC3339.exec(text) ?? [];
  const date = new Date(`${local}Z`);
  // JavaScript reads 31 June as 1 July. The comparison with the original text detects such a date.
  const isReal = local !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(local);
  if (!isReal || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return {
    nanoseconds:
      BigInt(date.getTime() - offset * 60_000) * MILLION + BigInt(fraction.slice(0, 9).padEnd(9, "0")),
    offset,
  };
}

/** Returns the point in time of an RFC 3339 timestamp. @throws FunctionError for the argument */
export function parseTimestamp(text: string, argument: number): Timestamp {
  const timestamp = readTimestamp(text);
  if (timestamp !== undefined) return timestamp;
  throw new FunctionError("it is not a timestamp such as 2024-05-31T18:00:00Z (RFC 3339)", argument);
}

/** Returns the local date and time of a timestamp as a `Date` whose UTC values are the local values. */
export function localDate({ nanoseconds, offset }: Timestamp): Date {
  const milliseconds = nanoseconds / MILLION - (nanoseconds % MILLION < 0n ? 1n : 0n);
  return new Date(Number(milliseconds) + offset * 60_000);
}

export const pad = (value: number, length = 2): string => value.toString().padStart(length, "0");

/** Returns an offset from UTC as text, such as "+02:00". */
export function formatOffset(offset: number, colon: string): string {
  const size = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}${colon}${pad(size % 60)}`;
}

/** Returns a timestamp as RFC 3339 text, without fractions of a second. */
export function formatTimestamp(timestamp: Timestamp): string {
  const local = localDate(timestamp)
    .toISOString()
    .replace(/^\+0|\.\d+Z$/g, "");
  return `${local}${timestamp.offset === 0 ? "Z" : formatOffset(timestamp.offset, ":")}`;
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

/** Returns the nanoseconds in a duration such as "1h30m". @throws FunctionError for the argument */
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
