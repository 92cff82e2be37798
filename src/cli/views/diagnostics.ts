import { type Diagnostic, formatPath } from "../../diagnostics";
import { oneLine } from "../../text";
import { detailOf } from "../printing/action";
import type { Style } from "../printing/style";

/** A framed diagnostic in Terraform's style. Text is wrapped if the terminal width is known. */
export function renderDiagnostic(diagnostic: Diagnostic, style: Style, columns?: number): string[] {
  const { severity, summary } = diagnostic;
  const paint = severity === "error" ? style.red : style.yellow;
  const title = `${style.bold(paint(severity === "error" ? "Error: " : "Warning: "))}${style.bold(oneLine(summary))}`;
  const width = columns === undefined ? undefined : Math.max(columns - 2, 20);
  const body = [
    title,
    "",
    ...location(diagnostic),
    ...detailOf(diagnostic)
      .split("\n")
      .flatMap((line) => wrap(oneLine(line), width)),
  ];
  return [paint("╷"), ...body.map((line) => `${paint("│")} ${line}`.trimEnd()), paint("╵")];
}

function location({ address, construct, attribute }: Diagnostic): string[] {
  const lines = [
    ...(address === undefined ? [] : [`with ${oneLine(address)}`]),
    ...(construct === undefined ? [] : [`construct ${oneLine(construct)}`]),
    ...(attribute === undefined ? [] : [`attribute ${oneLine(formatPath(attribute))}`]),
  ];
  if (lines.length === 0) return [];
  return [...lines.map((line, index) => `  ${line}${index < lines.length - 1 ? "," : ":"}`), ""];
}

/** Wraps a line between words. Indented lines, such as commands to copy, stay whole. */
function wrap(line: string, width: number | undefined): string[] {
  if (width === undefined || line.length <= width || line.startsWith(" ")) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
