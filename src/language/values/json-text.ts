import { JsonDepthError, JsonNumber, MAX_JSON_DEPTH } from "../../json";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/sy;

/** Reads JSON as `JSON.parse` does, but keeps numbers that a JS number would change. @throws SyntaxError, also where it is nested too deep */
export function parseJson(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.value();
  reader.skipSpace();
  if (reader.position < text.length) throw reader.unexpected();
  return value;
}

class Reader {
  position = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  unexpected(): SyntaxError {
    const found = this.text[this.position];
    return new SyntaxError(
      found === undefined
        ? "the JSON ends before it is complete"
        : `unexpected ${JSON.stringify(found)} in JSON at offset ${this.position}`,
    );
  }

  skipSpace(): void {
    this.match(SPACE);
  }

  value(): unknown {
    this.skipSpace();
    switch (this.text[this.position]) {
      case "{":
        return this.object();
      case "[":
        return this.array();
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.position)) throw this.unexpected();
    this.position += word.length;
    return value;
  }

  private string(): string {
    const start = this.position;
    const source = this.match(STRING);
    if (source === undefined) throw this.unexpected();
    try {
      return JSON.parse(source) as string;
    } catch {
      this.position = start;
      throw this.unexpected();
    }
  }

  private number(): number | JsonNumber {
    const source = this.match(NUMBER);
    if (source === undefined) throw this.unexpected();
    const light = Number(source);
    const kept = Number.isSafeInteger(light) || String(light) === source;
    return kept && !Object.is(light, -0) ? light : new JsonNumber(source);
  }

  private array(): unknown[] {
    const elements: unknown[] = [];
    this.items("]", () => elements.push(this.value()));
    return elements;
  }

  private object(): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.items("}", () => {
      this.skipSpace();
      if (this.text[this.position] !== '"') throw this.unexpected();
      const key = this.string();
      this.skipSpace();
      this.word(":", undefined);
      entries.push([key, this.value()]);
    });
    return Object.fromEntries(entries);
  }

  private items(end: string, readItem: () => void): void {
    this.depth += 1;
    if (this.depth > MAX_JSON_DEPTH) throw new JsonDepthError();
    this.list(end, readItem);
    this.depth -= 1;
  }

  private list(end: string, readItem: () => void): void {
    this.position += 1;
    this.skipSpace();
    if (this.text[this.position] === end) {
      this.position += 1;
      return;
    }
    for (;;) {
      readItem();
      this.skipSpace();
      const next = this.text[this.position];
      if (next !== "," && next !== end) throw this.unexpected();
      this.position += 1;
      if (next === end) return;
    }
  }
}
