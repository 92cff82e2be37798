/** Milliseconds of each unit that a deadline may be given in. */
const UNITS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};
/** The longest time that Node's timers can wait, about 25 days. */
const LONGEST = 2 ** 31 - 1;

/**
 * Milliseconds after which the client gives up, from its header `grpc-timeout`; undefined without one, with one that is not
 * well-formed, and with one that is longer than a timer can wait.
 */
export function timeoutOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const [, count, unit] = /^(\d{1,8})([HMSmun])$/.exec(header) ?? [];
  const milliseconds = Number(count) * (UNITS[unit ?? ""] ?? Number.NaN);
  return milliseconds <= LONGEST ? milliseconds : undefined;
}
