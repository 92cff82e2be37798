import { randomUUID } from "node:crypto";
import { isExact, JsonNumber } from "./write-json";

/** The position of a token. Its first character determines its kind. */
export interface Token {
  readonly start: number;
  readonly end: number;
}

/** The character at which a text is no longer valid JSON. */
class JsonFault extends Error {
  constructor(readonly position: number) {
    super(`no JSON from ${position} on`);
  }
}

const SPACE = /[ \t\r\n]*/y;
const TOKEN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:]/y;
/** Matches the end of a string, a character that needs a backslash, or the start of an escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 forbids unescaped control characters in strings, so the pattern stops at them.
const IN_STRING = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|["\\\u0000-\u001f]/g;

/**
 * Returns the tokens of a JSON text, one after the other. @throws JsonFault at a position without a token, and for
 * an invalid string
 */
export function* tokensOf(text: string): Generator<Token, void> {
  let start = endOf(SPACE, text, 0)!;
  while (start < text.length) {
    const end = text[start] === '"' ? endOfString(text, start) : endOf(TOKEN, text, start);
    if (end === undefined) throw new JsonFault(start);
    yield { start, end };
    start = endOf(SPACE, text, end)!;
  }
}

function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/**
 * Returns the position after a string. It moves from one special character to the next, because a single
 * pattern would exhaust the stack in a long string.
 */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    IN_STRING.lastIndex = at;
    const found = IN_STRING.exec(text);
    if (found === null) throw new JsonFault(text.length);
    at = IN_STRING.lastIndex;
    if (found[0] === '"') return at;
    if (found[0].length === 1) throw new JsonFault(found.index);
  }
}

/** The expected token in a list or an object. */
type Expected = "value" | "first value" | "key" | "first key" | "colon" | "next";

/**
 * Returns the position of the first character that makes a text invalid JSON. If the text ends too early,
 * this is its length. The function is for texts that `JSON.parse` refuses, because the positions in its
 * messages differ between faults and releases of Node.js.
 */
function faultIn(text: string): number {
  /** The closing brackets of all open lists and objects. */
  const open: string[] = [];
  let expected: Expected = "value";
  try {
    for (const { start } of tokensOf(text)) {
      const after = take(text[start]!, expected, open);
      if (after === undefined) return start;
      expected = after;
    }
  } catch (fault) {
    if (fault instanceof JsonFault) return fault.position;
    throw fault;
  }
  return text.length;
}

/**
 * Returns the expected token after a token that begins with this character; undefined if the token is not allowed
 * there.
 */
function take(first: string, expected: Expected, open: string[]): Expected | undefined {
  const end = open.at(-1);
  if (first === end && (expected === "next" || expected.startsWith("first"))) {
    open.pop();
    return "next";
  }
  if (expected === "colon") return first === ":" ? "value" : undefined;
  if (expected === "key" || expected === "first key") return first === '"' ? "colon" : undefined;
  if (expected === "next") {
    if (first !== "," || end === undefined) return undefined;
    return end === "}" ? "key" : "value";
  }
  if (first === "{" || first === "[") open.push(first === "{" ? "}" : "]");
  if (first === "{") return "first key";
  if (first === "[") return "first value";
  return "]},:".includes(first) ? undefined : "next";
}

/** The maximum number of nested arrays and objects. No document of Steward has more than thirty levels. */
export const MAX_JSON_DEPTH = 512;

/**
 * The error for a text that is not JSON or can't be read. The message contains the position, but never the
 * text there, because it may be a secret.
 */
export class JsonSyntaxError extends SyntaxError {
  override readonly name: string = "JsonSyntaxError";
}

/**
 * The error for a JSON text that is nested deeper than `MAX_JSON_DEPTH`. Its syntax is valid, but every
 * function that walks through the value would exhaust the stack.
 */
export class JsonDepthError extends JsonSyntaxError {
  override readonly name = "JsonDepthError";

  constructor() {
    super(`it is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
}

/**
 * Reads JSON like `JSON.parse`. A number that a JS number can't represent becomes a `JsonNumber`. It accepts
 * at most `MAX_JSON_DEPTH` levels. The last duplicate key wins; `parseHandwrittenJson` refuses duplicate
 * keys.
 *
 * @throws JsonSyntaxError whose message names line and column
 * @throws JsonDepthError
 */
export function parseJson(text: string): unknown {
  const value = parseStrictly(text);
  // Each level takes at least two characters.
  const canBeDeep = text.length > 2 * MAX_JSON_DEPTH && isNested(value);
  if (canBeDeep && isNestedDeeper(value, MAX_JSON_DEPTH)) throw new JsonDepthError();
  return MAY_HOLD_INEXACT.test(text) ? withExactNumbers(value, text) : value;
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new JsonSyntaxError(describeFault(text, faultIn(text)));
  }
}

function describeFault(text: string, position: number): string {
  if (position >= text.length) return "it ends too early";
  return `it is not JSON at ${positionText(text, position)}`;
}

/** Describes a position in a text, such as "line 3, column 5". Both count from 1. */
export function positionText(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}

/** Matches numbers that are long or have an exponent. A match inside a string only costs time. */
const MAY_HOLD_INEXACT = /[\d.](?:[\d.]{15}|[eE](?<=(?:^|[:[,\s])-?[\d.]+[eE])[+-]?\d)/;
// V8 compiles a pattern when it runs for the second time. A state has ten million characters, so the pattern
// runs once before.
MAY_HOLD_INEXACT.test("0");

/**
 * Reads JSON, and keeps numbers that a JS number would change. They pass through `JSON.parse` as texts with a
 * mark that no other text has.
 */
function withExactNumbers(value: unknown, text: string): unknown {
  const mark = `${randomUUID()}:`;
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end } of tokensOf(text)) {
    if (!NUMBER_START.test(text[start]!) || isExact(text.slice(start, end))) continue;
    parts.push(text.slice(copied, start), `"${mark}${text.slice(start, end)}"`);
    copied = end;
  }
  if (copied === 0) return value;
  return JSON.parse(parts.join("") + text.slice(copied), (_, one: unknown) =>
    typeof one === "string" && one.startsWith(mark) ? new JsonNumber(one.slice(mark.length)) : one,
  );
}

const NUMBER_START = /[-\d]/;

/** Returns whether a value has more than this number of levels. It looks no deeper, so it can't exhaust the stack. */
function isNestedDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const inner: unknown = value[index];
      if (isNested(inner) && isNestedDeeper(inner, levels - 1)) return true;
    }
    return false;
  }
  for (const name in value) {
    const inner: unknown = value[name as keyof typeof value];
    if (isNested(inner) && isNestedDeeper(inner, levels - 1)) return true;
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Returns whether the objects and lists in a JSON text are nested deeper than a limit. It also counts
 * brackets in a text that is not JSON.
 */
export function isDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isQuoted) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isQuoted = false;
    } else if (code === QUOTE) isQuoted = true;
    // The codes of `[` and `{`; below, of `]` and `}`.
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/** The used parts of the library `yaml`. The caller loads the library, because loading takes a while. */
type Yaml = Pick<typeof import("yaml"), "Lexer" | "Parser">;

/** The maximum number of nested mappings, sequences and items. */
export const MAX_YAML_DEPTH = MAX_JSON_DEPTH / 2;

/**
 * Returns whether a YAML text is nested deeper than `MAX_YAML_DEPTH`. Call it before the text is parsed,
 * because the library calls itself for each level. V8 ends the process if the stack is exhausted while V8
 * compiles a regular expression.
 */
export function isYamlTooDeep({ Lexer, Parser }: Yaml, text: string): boolean {
  // This parser is not recursive: it keeps open collections in a list.
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > MAX_YAML_DEPTH) return true;
  }
  return false;
}
