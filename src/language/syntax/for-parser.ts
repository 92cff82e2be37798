import type { Scanner, Token } from "./scanner";
import { between, type Node, type NodeOf } from "./syntax";

/** The part of the expression parser that is needed here. */
export interface ExpressionParser {
  readonly scanner: Scanner;
  expression(): Node;
  /** Consumes a required symbol. */
  expect(symbol: string, summary: string, why: string): Token;
}

/** The variables of a `for`, and its collection. */
export interface ForHead {
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Node;
}

/** Parses `for k, v in collection`, from the word `for` on. */
export function parseForHead(scanner: Scanner, expression: () => Node): ForHead {
  scanner.next();
  const first = variableName(scanner);
  const second = scanner.take(",") === undefined ? undefined : variableName(scanner);
  if (!scanner.isAtWord("in")) {
    throw scanner.error("Invalid 'for' expression", 'The word "in" follows the names of the variables.');
  }
  scanner.next();
  const [keyName, valueName] = second === undefined ? [undefined, first] : [first, second];
  return { keyName, valueName, collection: expression() };
}

function variableName(scanner: Scanner): string {
  const token = scanner.next();
  if (token.kind === "identifier") return token.text;
  throw scanner.error("Invalid 'for' expression", "The name of a variable is expected here.", token.range);
}

/** Parses `[for …]` or `{for …}`, from the word `for` on. */
export function parseForExpression(parser: ExpressionParser, open: Token): NodeOf<"for"> {
  const { scanner } = parser;
  const head = parseForHead(scanner, () => parser.expression());
  parser.expect(":", "Invalid 'for' expression", "a colon follows the collection");
  const first = parser.expression();
  const arrow = scanner.take("=>");
  const isObject = open.text === "{";
  if (isObject !== (arrow !== undefined)) {
    throw scanner.error(
      "Invalid 'for' expression",
      isObject
        ? 'An object needs a key and a value for each element, joined by "=>".'
        : 'A tuple has no keys: "=>" can stand in a for expression in braces only.',
      arrow?.range,
    );
  }
  const value = isObject ? parser.expression() : first;
  const ellipsis = scanner.take("...");
  if (ellipsis !== undefined && !isObject) {
    throw scanner.error(
      "Invalid 'for' expression",
      'Grouping by "..." needs keys: it can stand in a for expression in braces only.',
      ellipsis.range,
    );
  }
  const condition = scanner.isAtWord("if") ? parseCondition(parser) : undefined;
  const close = parser.expect(
    isObject ? "}" : "]",
    "Invalid 'for' expression",
    "the for expression ends here",
  );
  return {
    kind: "for",
    ...head,
    key: isObject ? first : undefined,
    value,
    condition,
    isGrouped: ellipsis !== undefined,
    range: between(open.range, close.range),
  };
}

function parseCondition(parser: ExpressionParser): Node {
  parser.scanner.next();
  return parser.expression();
}
