import type { Part } from "./template-part";

const LEADING_SPACE = /^\s*/;

/** Takes off each line of a `<<-` heredoc the indentation that all its lines share; empty lines do not count. */
export function flushLines(parts: readonly Part[]): void {
  const indented: Extract<Part, { kind: "text" }>[] = [];
  let shared = Number.POSITIVE_INFINITY;
  let lineStart = true;
  for (const part of parts) {
    const isText = part.kind === "text";
    if (lineStart && part.kind !== "end") {
      const space = isText ? LEADING_SPACE.exec(part.text)![0].length : 0;
      const isBlank = isText && space === part.text.length && part.text.endsWith("\n");
      if (!isBlank) shared = Math.min(shared, space);
      if (isText && !isBlank) indented.push(part);
    }
    lineStart = isText && part.text.endsWith("\n");
  }
  for (const part of indented) part.text = part.text.slice(shared);
}
