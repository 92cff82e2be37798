const WIDTH = 110;

/** Formats JSON as the project's formatter does: a list of plain values stays on one line if it fits. */
export function formatJson(value: unknown, indent = "", taken = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    const parts = value.map((element) => formatJson(element, inner));
    const line = `[${parts.join(", ")}]`;
    if (!line.includes("\n") && indent.length + taken + line.length < WIDTH) return line;
    return `[\n${parts.map((part) => inner + part).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  const lines = entries.map(([key, field]) => {
    const name = `${JSON.stringify(key)}: `;
    return `${inner}${name}${formatJson(field, inner, name.length)}`;
  });
  return `{\n${lines.join(",\n")}\n${indent}}`;
}
