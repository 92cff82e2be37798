import type { ForHead } from "./expression-parts";
import type { Scanner } from "./scanner";
import type { Node, Range } from "./syntax";

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]?))/gu;
const SIMPLE: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
const LAST_CODE_POINT = 0x10ffff;

/** Returns a quoted text in which the characters replace their backslash escapes. */
function unescapeQuoted(text: string, start: number, scanner: Scanner): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPE, (written, short, long, simple, offset: number) => {
    const range = { start: start + offset, end: start + offset + written.length };
    if (short === undefined && long === undefined) {
      const plain = SIMPLE[simple];
      if (plain !== undefined) return plain;
      throw scanner.error(
        "Invalid escape sequence",
        `"${written}" is not an escape sequence; a backslash is written "\\\\".`,
        range,
      );
    }
    const code = Number.parseInt(short ?? long, 16);
    if (code <= LAST_CODE_POINT && (code < 0xd800 || code > 0xdfff)) return String.fromCodePoint(code);
    throw scanner.error(
      "Invalid escape sequence",
      `There is no character U+${(short ?? long).toUpperCase()}.`,
      range,
    );
  });
}

/** The form of a template. The form determines the end of the template, and the escapes that the text can contain. */
export type TemplateForm =
  | { readonly kind: "bare" }
  | { readonly kind: "quoted" }
  | { readonly kind: "heredoc"; readonly marker: string };

/**
 * The start of an interpolation or a directive: `${` or `%{`. A `~` after `{` removes the white space before the interpolation or
 * directive.
 */
interface SequencePiece {
  readonly kind: "interpolation" | "directive";
  readonly isTrimming: boolean;
  readonly range: Range;
}

/** A text in a template, or the end of the template. */
type Plain = Text | { readonly kind: "end"; readonly range: Range };
interface Text {
  readonly kind: "text";
  text: string;
  readonly range: Range;
}

export type Piece = Plain | SequencePiece;

/** Matches a dollar or percent sign that starts no interpolation or directive, or the escape of two signs before a brace. */
const SIGNS = /([$%])\1\{|[$%]/y;
const QUOTED_RUN = /(?:\\[^\r\n]|[^\\"$%\r\n])+/y;
const LINE_RUN = /[^$%\r\n]*(?:\r?\n|\r)?/y;
const OPENING = /[$%]\{~?/y;

/**
 * Returns the next token of a template's text. As in Terraform, a token has at most one line. A `~` removes white space only from
 * the token next to the `~`.
 */
export function nextPiece(scanner: Scanner, form: TemplateForm, isAtLineStart: boolean): Piece {
  const { source, position } = scanner;
  const take = (length: number): Range => {
    scanner.moveTo(position + length);
    return { start: position, end: position + length };
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    return pattern.exec(source)?.[0];
  };
  if (form.kind === "heredoc" && isAtLineStart) {
    const end = endMarker(source, position, form.marker);
    if (end !== undefined) return { kind: "end", range: take(end) };
  }
  if (position >= source.length) return endOfSource(scanner, form);
  if (form.kind === "quoted" && source[position] === '"') return { kind: "end", range: take(1) };
  const opening = match(OPENING);
  if (opening !== undefined) {
    const kind = opening.startsWith("$") ? "interpolation" : "directive";
    return { kind, isTrimming: opening.endsWith("~"), range: take(opening.length) };
  }
  const sign = match(SIGNS);
  if (sign !== undefined) return { kind: "text", text: sign.slice(-2), range: take(sign.length) };
  const run = match(form.kind === "quoted" ? QUOTED_RUN : LINE_RUN);
  if (run === undefined || run === "") {
    throw scanner.error(
      "Invalid multi-line string",
      'A quoted text must end on the line on which it begins. Write "\\n" for a new line.',
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

/** Returns the length of a line that contains only the marker, without its newline; undefined for any other line. */
function endMarker(source: string, position: number, marker: string): number | undefined {
  const newline = source.indexOf("\n", position);
  if (newline === -1) return undefined;
  const line = source.slice(position, newline);
  if (line.trim() !== marker) return undefined;
  return line.endsWith("\r") ? line.length - 1 : line.length;
}

/** A part of a template: a text, an interpolation, a directive, or the end. */
export type Part =
  | Plain
  | { readonly kind: "interpolation"; readonly node: Node; readonly range: Range }
  | { readonly kind: "if"; readonly condition: Node; readonly range: Range }
  | { readonly kind: "for"; readonly head: ForHead; readonly range: Range }
  | { readonly kind: "else" | "endif" | "endfor"; readonly range: Range };

const LEADING_SPACE = /^\s*/;

/** Removes the common indentation from all lines of a `<<-` heredoc. Empty lines do not affect the common indentation. */
export function flushLines(parts: readonly Part[]): void {
  const indented: Text[] = [];
  let shared = Number.POSITIVE_INFINITY;
  let isLineStart = true;
  for (const part of parts) {
    const isText = part.kind === "text";
    if (isLineStart && part.kind !== "end") {
      const space = isText ? LEADING_SPACE.exec(part.text)![0].length : 0;
      const isBlank = isText && space === part.text.length && part.text.endsWith("\n");
      if (!isBlank) shared = Math.min(shared, space);
      if (isText && !isBlank) indented.push(part);
    }
    isLineStart = isText && part.text.endsWith("\n");
  }
  for (const part of indented) part.text = part.text.slice(shared);
}
