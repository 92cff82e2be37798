import { bool, NULL, string } from "../values";
import { tooDeep } from "./errors";
import { type ExpressionParser, numberValue, parseForExpression, parseTraversals } from "./expression-parts";
import { describe, type Scanner, type Token } from "./scanner";
import {
  BINARY_OPERATORS,
  type BinaryOperator,
  between,
  type Node,
  type NodeOf,
  type ObjectItem,
} from "./syntax";
import { parseHeredoc, parseQuoted } from "./template-parser";

/** Returns the text key for a word without quotes. Returns any other key unchanged, such as a reference in parentheses. */
function asKey(key: Node, scanner: Scanner): Node {
  if (key.kind === "literal") return keywordKey(key, scanner);
  if (key.kind !== "reference") return key;
  if (key.traversal.steps.length > 0) {
    throw scanner.error(
      "Ambiguous attribute key",
      "Put a key with dots or brackets in parentheses if it is a reference, or in quotes if it is a text.",
      key.range,
    );
  }
  return { kind: "literal", value: string(key.traversal.root), range: key.range };
}

/** Returns the text key for `true`, `false` or `null`. */
function keywordKey(key: NodeOf<"literal">, scanner: Scanner): Node {
  const word = scanner.source.slice(key.range.start, key.range.end);
  return KEYWORDS.has(word) ? { ...key, value: string(word) } : key;
}

const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** The maximum nesting of an expression. Each level takes about 20 of the 10,000 available stack frames. */
const MAX_NESTING = 200;

/** A recursive descent parser of expressions, with one method for each grammar rule. */
export class Parser implements ExpressionParser {
  #nesting = 0;

  constructor(readonly scanner: Scanner) {}

  expression(): Node {
    return this.nested(() => this.conditional());
  }

  /** Parses a part of the expression one level deeper. Throws an error if the nesting is too deep. */
  private nested(body: () => Node): Node {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) throw tooDeep(this.scanner.peek().range);
    try {
      return body();
    } finally {
      this.#nesting -= 1;
    }
  }

  private conditional(): Node {
    const condition = this.binary(0);
    if (this.scanner.take("?") === undefined) return condition;
    const whenTrue = this.expression();
    this.expect(
      ":",
      "Missing false expression in conditional",
      'a conditional (… ? … : …) needs a ":" and a value for "false"',
    );
    const whenFalse = this.expression();
    return {
      kind: "conditional",
      condition,
      whenTrue,
      whenFalse,
      range: between(condition.range, whenFalse.range),
    };
  }

  /** Returns the next token if it is the given symbol; otherwise throws an error. */
  expect(symbol: string, summary: string, why: string): Token {
    const token = this.scanner.take(symbol);
    if (token !== undefined) return token;
    const found = describe(this.scanner.peek());
    throw this.scanner.error(summary, `Expected "${symbol}" but found ${found}: ${why}.`);
  }

  private binary(level: number): Node {
    const operators: readonly BinaryOperator[] | undefined = BINARY_OPERATORS[level];
    if (operators === undefined) return this.withTraversals();
    let left = this.binary(level + 1);
    for (;;) {
      const operator = operators.find((symbol) => this.scanner.isAt(symbol));
      if (operator === undefined) return left;
      this.scanner.next();
      const right = this.binary(level + 1);
      left = { kind: "binary", operator, left, right, range: between(left.range, right.range) };
    }
  }

  private withTraversals(): Node {
    return parseTraversals(this, this.term());
  }

  private term(): Node {
    const token = this.scanner.peek();
    switch (token.kind) {
      case "number":
        return { kind: "literal", value: numberValue(this.scanner.next(), this.scanner), range: token.range };
      case "identifier":
        return this.nameOrCall(this.scanner.next());
      case "quote":
        return parseQuoted(this);
      case "heredoc":
        return parseHeredoc(this);
      case "symbol":
        return this.symbolTerm(token);
      default:
        throw this.noExpression(token);
    }
  }

  private noExpression(token: Token): Error {
    return this.scanner.error(
      "Invalid expression",
      `Expected the start of an expression, but found ${describe(token)}.`,
      token.range,
    );
  }

  private symbolTerm(token: Token): Node {
    switch (token.text) {
      case "(":
        return this.parentheses();
      case "-":
      case "!": {
        this.scanner.next();
        const operand = this.nested(() => this.withTraversals());
        return { kind: "unary", operator: token.text, operand, range: between(token.range, operand.range) };
      }
      case "[":
        return this.tuple();
      case "{":
        return this.object();
      default:
        throw this.noExpression(token);
    }
  }

  private parentheses(): Node {
    const open = this.scanner.next();
    return this.scanner.withNewlines(false, () => {
      const inner = this.expression();
      const close = this.expect(")", "Unbalanced parentheses", "the expression in parentheses must end here");
      return { kind: "group", inner, range: between(open.range, close.range) };
    });
  }

  private nameOrCall(token: Token): Node {
    if (this.scanner.isAt("(") || this.scanner.isAt("::")) return this.call(token);
    switch (token.text) {
      case "true":
      case "false":
        return { kind: "literal", value: bool(token.text === "true"), range: token.range };
      case "null":
        return { kind: "literal", value: NULL, range: token.range };
      default: {
        const traversal = { root: token.text, steps: [], range: token.range };
        return { kind: "reference", traversal, range: token.range };
      }
    }
  }

  private call(first: Token): Node {
    let name = first.text;
    let nameRange = first.range;
    while (this.scanner.take("::") !== undefined) {
      const next = this.scanner.next();
      if (next.kind !== "identifier") {
        throw this.scanner.error(
          "Missing function name",
          `"::" must be followed by a name, not by ${describe(next)}.`,
          next.range,
        );
      }
      name += `::${next.text}`;
      nameRange = between(nameRange, next.range);
    }
    this.expect(
      "(",
      "Missing open parenthesis",
      `the arguments of the function "${name}" must be in parentheses`,
    );
    return this.scanner.withNewlines(false, () => {
      const args: Node[] = [];
      let isExpanded = false;
      while (!this.scanner.isAt(")")) {
        args.push(this.expression());
        if (this.scanner.take("...") !== undefined) {
          isExpanded = true;
          break;
        }
        if (this.scanner.take(",") === undefined) break;
      }
      const close = this.expect(
        ")",
        "Missing argument separator",
        `the arguments of "${name}" are separated by commas and end with ")"`,
      );
      return {
        kind: "call",
        name,
        args,
        isExpanded,
        nameRange,
        range: between(first.range, close.range),
      };
    });
  }

  private tuple(): Node {
    const open = this.scanner.next();
    return this.scanner.withNewlines(false, () => {
      if (this.scanner.isAtWord("for")) return parseForExpression(this, open);
      const elements: Node[] = [];
      while (!this.scanner.isAt("]")) {
        elements.push(this.expression());
        if (this.scanner.take(",") === undefined) break;
      }
      const close = this.expect(
        "]",
        "Missing item separator",
        "the elements of a tuple are separated by commas",
      );
      return { kind: "tuple", elements, range: between(open.range, close.range) };
    });
  }

  private object(): Node {
    const open = this.scanner.next();
    const isFor = this.scanner.withNewlines(false, () => this.scanner.isAtWord("for"));
    if (isFor) return this.scanner.withNewlines(false, () => parseForExpression(this, open));
    return this.scanner.withNewlines(true, () => {
      const items: ObjectItem[] = [];
      for (;;) {
        while (this.scanner.peek().kind === "newline") this.scanner.next();
        if (this.scanner.isAt("}")) break;
        items.push(this.objectItem());
        if (this.scanner.isAt("}")) break;
        if (this.scanner.peek().kind === "newline") this.scanner.next();
        else
          this.expect(",", "Missing attribute separator", "attributes are separated by commas or new lines");
      }
      const close = this.scanner.next();
      return { kind: "object", items, hasUniqueKeys: false, range: between(open.range, close.range) };
    });
  }

  private objectItem(): ObjectItem {
    const key = asKey(this.expression(), this.scanner);
    if (this.scanner.take("=") === undefined) {
      this.expect(":", "Missing key/value separator", 'a key must be followed by "=" or ":" and its value');
    }
    return { key, value: this.expression() };
  }
}
