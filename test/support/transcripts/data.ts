import { isDeepStrictEqual } from "node:util";

/** Returns the types of the events in an output, without events of reads. */
export const typesIn = (out: string): string[] =>
  (jsonIn(out) as { type: string }[]).map(({ type }) => type).filter((type) => !type.startsWith("refresh_"));

/** Returns the JSON values that a command printed: one value, or one on each line. */
export function jsonIn(out: string): unknown[] {
  try {
    return [JSON.parse(out)];
  } catch {
    return out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  }
}

/**
 * Returns the part of a value that a pattern describes. If the value matches, the result equals the pattern. Objects may have
 * more fields than the pattern. Null matches a missing field, `[…, a]` matches a list that contains a, and "~ pattern"
 * matches a text.
 */
export function picked(actual: unknown, pattern: unknown): unknown {
  if (typeof pattern === "string" && pattern.startsWith("~ "))
    return typeof actual === "string" && new RegExp(pattern.slice(2)).test(actual) ? pattern : actual;
  if (Array.isArray(pattern)) {
    if (!Array.isArray(actual)) return actual;
    if (pattern[0] !== "…") return actual.map((one, at) => picked(one, pattern[at]));
    const has = (wanted: unknown) => actual.some((one) => isDeepStrictEqual(picked(one, wanted), wanted));
    return pattern.slice(1).every(has) ? pattern : actual;
  }
  if (typeof pattern !== "object" || pattern === null) return actual ?? null;
  if (typeof actual !== "object" || actual === null) return actual;
  return Object.fromEntries(
    Object.entries(pattern).map(([key, one]) => [key, picked((actual as Record<string, unknown>)[key], one)]),
  );
}

export const expectLike = (actual: unknown, pattern: unknown) =>
  expect(picked(actual, pattern)).toEqual(pattern);
