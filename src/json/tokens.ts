/** Where a token begins and ends. Its first character says what it is. */
export interface Token {
  readonly start: number;
  readonly end: number;
}

/** A character at which a text stops being JSON. */
export class JsonFault extends Error {
  constructor(readonly position: number) {
    super(`no JSON from ${position} on`);
  }
}

const SPACE = /[ \t\r\n]*/y;
const TOKEN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:]/y;
/** What ends a string, may stand in it only after a backslash, or begins an escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 forbids unescaped control characters in strings, so the pattern stops at them.
const IN_STRING = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|["\\\u0000-\u001f]/g;

/** The tokens of a JSON text, one after the other. @throws JsonFault where no token begins, or a string is none */
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

/** Goes from one special character to the next: one pattern for a whole string runs out of stack in a long one. */
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
