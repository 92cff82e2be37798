import { ExpressionError } from "./errors";
import type { Range } from "./syntax";

type TokenKind = "identifier" | "number" | "newline" | "end" | "quote" | "heredoc" | "symbol" | "invalid";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly range: Range;
}

const SPACE = /[ \t]+/y;
const COMMENT = /#[^\n]*\n?|\/\/[^\n]*\n?|\/\*[\s\S]*?\*\//y;
const NEWLINE = /\r?\n/y;
/** Matches digits, dots and exponents. A dot at the end does not belong to the number, because the dot starts an attribute. */
const NUMBER = /\d(?:(?:\d|\.|[eE][+-]?\d)*(?:[eE][+-]?\d|\d))?/y;
const IDENTIFIER = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const HEREDOC = /<<-?[\p{ID_Start}_][\p{ID_Continue}-]*\r?\n/uy;
const SYMBOL = /\.\.\.|==|!=|>=|<=|&&|\|\||=>|::|~\}|[[\](){}.,*/%+\-=<>!?:&|~^;]/y;

/**
 * Splits the source of an expression into tokens, one token at a time. The scanner does not scan ahead, because text in templates
 * has other tokens.
 */
export class Scanner {
  /** The position of the next token in the source. The template parser moves this position past the text of a template. */
  private offset: number;
  private peeked: Token | undefined;
  private readonly newlines: boolean[];

  constructor(
    readonly source: string,
    start: number,
    hasNewlines: boolean,
  ) {
    this.offset = start;
    this.newlines = [hasNewlines];
  }

  get position(): number {
    return this.offset;
  }

  moveTo(position: number): void {
    this.offset = position;
    this.peeked = undefined;
  }

  /**
   * Calls a function and returns its result. During the call, newlines are tokens if `isSignificant` is true, and otherwise
   * skipped like white space.
   */
  withNewlines<T>(isSignificant: boolean, body: () => T): T {
    this.newlines.push(isSignificant);
    this.peeked = undefined;
    try {
      return body();
    } finally {
      this.newlines.pop();
      this.peeked = undefined;
    }
  }

  peek(): Token {
    this.peeked ??= this.scan();
    return this.peeked;
  }

  next(): Token {
    const token = this.peek();
    this.offset = token.range.end;
    this.peeked = undefined;
    return token;
  }

  /** Returns whether the next token is this symbol. */
  isAt(symbol: string): boolean {
    const token = this.peek();
    return token.kind === "symbol" && token.text === symbol;
  }

  /** Returns the next token and moves past it, if it is this symbol; otherwise returns undefined. */
  take(symbol: string): Token | undefined {
    return this.isAt(symbol) ? this.next() : undefined;
  }

  isAtWord(word: string): boolean {
    const token = this.peek();
    return token.kind === "identifier" && token.text === word;
  }

  error(summary: string, detail: string, range: Range = this.peek().range): ExpressionError {
    return new ExpressionError(summary, detail, range);
  }

  private match(pattern: RegExp, at: number): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.source)?.[0];
  }

  private scan(): Token {
    const isSignificant = this.newlines.at(-1)!;
    let at = this.offset;
    for (;;) {
      const skipped = this.match(SPACE, at) ?? (isSignificant ? undefined : this.match(NEWLINE, at));
      if (skipped !== undefined) {
        at += skipped.length;
        continue;
      }
      const comment = this.match(COMMENT, at);
      if (comment === undefined) break;
      at += comment.length;
      // The newline at the end of a comment becomes a newline token.
      if (isSignificant && comment.endsWith("\n")) return this.token("newline", "\n", at - 1);
    }
    return this.scanAt(at);
  }

  private token(kind: TokenKind, text: string, start: number): Token {
    return { kind, text, range: { start, end: start + text.length } };
  }

  private scanAt(at: number): Token {
    if (at >= this.source.length) return this.token("end", "", at);
    if (this.source[at] === '"') return this.token("quote", '"', at);
    for (const [kind, pattern] of PATTERNS) {
      const text = this.match(pattern, at);
      if (text !== undefined) return this.token(kind, text, at);
    }
    return this.token("invalid", String.fromCodePoint(this.source.codePointAt(at)!), at);
  }
}

const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ["newline", NEWLINE],
  ["identifier", IDENTIFIER],
  ["number", NUMBER],
  ["heredoc", HEREDOC],
  ["symbol", SYMBOL],
];

/** Returns the text that error messages use for a token. */
export function describe(token: Token): string {
  if (token.kind === "end") return "the end of the text";
  return token.kind === "newline" ? "a new line" : JSON.stringify(token.text);
}
