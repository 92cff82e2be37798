/** The fields whose texts stay unchanged: times, and values that the code needs when it reads a report. */
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

/** Adds 200 characters to each text in a value. A line can't be broken between these characters. */
export function withLongNames<T>(value: T, letters = "W".repeat(200)): T {
  const lengthen = (one: unknown, key: string): unknown => {
    if (typeof one === "string") return FIXED.has(key) ? one : `${one}${letters}`;
    if (Array.isArray(one)) return one.map((element) => lengthen(element, key));
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, lengthen(part, name)]));
  };
  return lengthen(value, "") as T;
}
