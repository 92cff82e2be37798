import type { Scanner } from "./scanner";
import { unescapeQuoted } from "./string-escapes";
import type { Range } from "./syntax";

/** The end of a template, and the rules for its text. */
export type TemplateForm =
  | { readonly kind: "bare" }
  | { readonly kind: "quoted" }
  | { readonly kind: "heredoc"; readonly marker: string };

interface TextPiece {
  readonly kind: "text";
  readonly text: string;
  readonly range: Range;
}

/** The opening of `${` or `%{`, with `~` if it trims the text before. */
interface SequencePiece {
  readonly kind: "interpolation" | "directive";
  readonly trims: boolean;
  readonly range: Range;
}

export type Piece = TextPiece | SequencePiece | { readonly kind: "end"; readonly range: Range };

/** A dollar or percent sign that opens nothing; doubled before a brace it is an escape. */
const SIGNS = /([$%])\1\{|[$%]/y;
const QUOTED_RUN = /(?:\\[^\r\n]|[^\\"$%\r\n])+/y;
const LINE_RUN = /[^$%\r\n]*(?:\r?\n|\r)?/y;
const OPENING = /[$%]\{~?/y;

/**
 * Reads the next token of a template's text. Tokens are as short as Terraform's (one line at most), since `~`
 * trims the adjacent token only.
 */
export function nextPiece(scanner: Scanner, form: TemplateForm, atLineStart: boolean): Piece {
  const { source, position } = scanner;
  const take = (length: number): Range => {
    scanner.moveTo(position + length);
    return { start: position, end: position + length };
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    return pattern.exec(source)?.[0];
  };
  if (form.kind === "heredoc" && atLineStart) {
    const end = endMarker(source, position, form.marker);
    if (end !== undefined) return { kind: "end", range: take(end) };
  }
  if (position >= source.length) return endOfSource(scanner, form);
  if (form.kind === "quoted" && source[position] === '"') return { kind: "end", range: take(1) };
  const opening = match(OPENING);
  if (opening !== undefined) {
    const kind = opening.startsWith("$") ? "interpolation" : "directive";
    return { kind, trims: opening.endsWith("~"), range: take(opening.length) };
  }
  const sign = match(SIGNS);
  if (sign !== undefined) return { kind: "text", text: sign.slice(-2), range: take(sign.length) };
  const run = match(form.kind === "quoted" ? QUOTED_RUN : LINE_RUN);
  if (run === undefined || run === "") {
    throw scanner.error(
      "Invalid multi-line string",
      'A quoted text ends on the line it begins on. Write "\\n" for a new line.',
      { start: position, end: position + 1 },
    );
  }
  const range = take(run.length);
  return { kind: "text", text: form.kind === "quoted" ? unescapeQuoted(run, position, scanner) : run, range };
}

function endOfSource(scanner: Scanner, form: TemplateForm): Piece {
  const range = { start: scanner.position, end: scanner.position };
  if (form.kind === "bare") return { kind: "end", range };
  const what = form.kind === "quoted" ? "closing quote" : `line with "${form.marker}" alone`;
  throw scanner.error("Unterminated template string", `The text has no ${what}.`, range);
}

/** The length of the line without its newline, if it contains the marker alone. */
function endMarker(source: string, position: number, marker: string): number | undefined {
  const newline = source.indexOf("\n", position);
  if (newline === -1) return undefined;
  const line = source.slice(position, newline);
  if (line.trim() !== marker) return undefined;
  return line.endsWith("\r") ? line.length - 1 : line.length;
}
