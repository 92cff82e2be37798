import { isDeepStrictEqual } from "node:util";

/** The types of events, but for those of reads. */
export const typesIn = (out: string): string[] =>
  (jsonIn(out) as { type: string }[]).map(({ type }) => type).filter((type) => !type.startsWith("refresh_"));

/** Whatever a command printed as JSON: one value, or one a line. */
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
 * What is there of what a pattern names: objects may have more fields, null stands for none, `[…, a]` for a list with a in
 * it, and "~ pattern" for a text. It equals the pattern where it matches.
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
