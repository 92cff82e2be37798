/** The units of a deadline in milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};
/** The longest timer in Node, about 25 days. */
const LONGEST = 2 ** 31 - 1;

/**
 * The client's deadline in milliseconds, from `grpc-timeout`; undefined if the header is absent or malformed,
 * or longer than a timer.
 */
export function timeoutOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const [, count, unit] = /^(\d{1,8})([HMSmun])$/.exec(header) ?? [];
  const milliseconds = Number(count) * (UNITS[unit ?? ""] ?? Number.NaN);
  return milliseconds <= LONGEST ? milliseconds : undefined;
}
