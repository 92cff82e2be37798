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

/** Describes a position in a text, such as "line 3, column 5". Both count from 1. */
export function positionText(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}
