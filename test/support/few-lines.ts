const WIDTH = 120;

/** Returns a value as JSON that is easy to read in a diff. A short value, or a value deeper than `depth`, is on one line. */
export function inFewLines(value: unknown, depth: number, indent = ""): string {
  const short = JSON.stringify(value);
  if (typeof value !== "object" || value === null || depth === 0 || short.length <= WIDTH) return short;
  const inner = `${indent} `;
  const lines = Object.entries(value).map(([name, part]) => {
    const text = inFewLines(part, depth - 1, inner);
    return Array.isArray(value) ? `${inner}${text}` : `${inner}${JSON.stringify(name)}: ${text}`;
  });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}
