/** Values that readers decide by, and times: these do not change. */
const FIXED = new Set([
  "action",
  "command",
  "finished_at",
  "format_version",
  "has",
  "kind",
  "mark",
  "result",
  "severity",
  "started_at",
  "status",
  "strictness",
  "unknown",
]);

/** Each text of a value with 200 more characters, without a place to break a line. */
export function withLongNames<T>(value: T, letters = "W".repeat(200)): T {
  const lengthen = (one: unknown, key: string): unknown => {
    if (typeof one === "string") return FIXED.has(key) ? one : `${one}${letters}`;
    if (Array.isArray(one)) return one.map((element) => lengthen(element, key));
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, lengthen(part, name)]));
  };
  return lengthen(value, "") as T;
}
