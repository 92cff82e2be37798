/** Returns a JSON text with this number of nested arrays or objects. */
export function deepJson(levels: number, kind: "array" | "object" | "both" = "array"): string {
  const isObject = (level: number) => kind === "object" || (kind === "both" && level % 2 === 0);
  const range = Array.from({ length: levels }, (_, level) => level);
  const open = range.map((level) => (isObject(level) ? '{"a":' : "[")).join("");
  const close = range.map((level) => (isObject(level) ? "}" : "]"));
  return `${open}1${close.reverse().join("")}`;
}
