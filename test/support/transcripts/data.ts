import { isDeepStrictEqual } from "node:util";

/** The types of events, without events of reads. */
export const typesIn = (out: string): string[] =>
  (jsonIn(out) as { type: string }[]).map(({ type }) => type).filter((type) => !type.startsWith("refresh_"));

/** The JSON that a command printed: one value, or one per line. */
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
 * Returns the part of a value that a pattern describes; it equals the pattern if the value matches. Objects may have more
 * fields. Null matches a missing field, `[…, a]` a list that contains a, and "~ pattern" a text.
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
