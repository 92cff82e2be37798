/** The start and the end of a token in a text. The character at `start` determines the kind of the token. */
export interface Token {
  readonly start: number;
  readonly end: number;
}

/** The error for invalid JSON. `position` is the index of the first character that makes the text invalid. */
class JsonFault extends Error {
  constructor(readonly position: number) {
    super(`no JSON from ${position} on`);
  }
}

const SPACE = /[ \t\r\n]*/y;
const TOKEN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:]/y;
/** Matches the next special character of a string: an escape, the closing quote, or a character that must be escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 forbids unescaped control characters in strings, so the pattern stops at them.
const IN_STRING = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|["\\\u0000-\u001f]/g;

/**
 * Returns the tokens of a JSON text, one after the other. @throws JsonFault if no token starts at a position, or a string is
 * invalid
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
 * Returns the position after a string. The function searches one special character after the other, because one pattern for a
 * long string would exhaust the stack.
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

/** The kind of token that must follow. `next` means a comma or a closing bracket. */
type Expected = "value" | "first value" | "key" | "first key" | "colon" | "next";

/**
 * Returns the position of the first character that makes a text invalid JSON. If the text ends too early, returns the length of
 * the text. The function is for texts that `JSON.parse` refuses. The messages of `JSON.parse` are not used, because their
 * positions depend on the fault and on the release of Node.js.
 */
export function faultIn(text: string): number {
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
 * Processes a token that begins with this character, and returns the kind of token that must follow. Returns undefined if the
 * token is not allowed here.
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

/** Describes a position in a text, such as "line 3, column 5". The line and the column are counted from 1. */
export function positionText(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}
