import { number, parseNum, type Value } from "../values";
import { tooDeep } from "./errors";
import { describe, type Scanner, type Token } from "./scanner";
import { between, type Node, type NodeOf, type Step } from "./syntax";

/** The maximum number of attributes and indexes after a term. Values have fewer nested levels. */
const MAX_STEPS = 1000;

/** Parses the attributes, indexes and splats that follow a term. */
export function parseTraversals(parser: ExpressionParser, from: Node): Node {
  const { scanner } = parser;
  let node = from;
  for (let steps = 0; ; steps += 1) {
    if (steps > MAX_STEPS) throw tooDeep(scanner.peek().range);
    if (scanner.isAt(".")) node = parseDot(parser, node);
    else if (scanner.isAt("[")) node = parseBracket(parser, node);
    else return node;
  }
}

function parseDot(parser: ExpressionParser, node: Node): Node {
  const { scanner } = parser;
  const dot = scanner.next();
  const star = scanner.take("*");
  if (star === undefined) return addStep(node, parseDotStep(scanner, dot));
  const marker = between(dot.range, star.range);
  let each: Node = { kind: "item", range: marker };
  while (scanner.isAt(".")) each = addStep(each, parseDotStep(scanner, scanner.next()));
  return { kind: "splat", source: node, each, marker, range: between(node.range, each.range) };
}

function parseDotStep(scanner: Scanner, dot: Token): Step {
  const token = scanner.next();
  const range = between(dot.range, token.range);
  if (token.kind === "identifier") return { attribute: token.text, range };
  if (token.kind !== "number") {
    throw scanner.error(
      "Invalid attribute name",
      `A dot must be followed by the name of an attribute, not by ${describe(token)}.`,
      token.range,
    );
  }
  if (token.text.includes(".")) {
    const fixed = token.text
      .split(".")
      .map((part) => `[${part}]`)
      .join("");
    throw scanner.error(
      "Invalid legacy index syntax",
      `Two indexes cannot be written ".${token.text}". Write ${fixed} instead.`,
      token.range,
    );
  }
  return { index: numberValue(token, scanner), range };
}

function parseBracket(parser: ExpressionParser, node: Node): Node {
  const { scanner } = parser;
  const open = scanner.next();
  if (scanner.isAt("*")) return parseFullSplat(parser, node, open);
  const [key, close] = scanner.withNewlines(false, () => {
    const parsed = parser.expression();
    return [
      parsed,
      parser.expect("]", "Missing close bracket on index", "an index must end with a bracket"),
    ] as const;
  });
  const bracket = between(open.range, close.range);
  const literal = literalOf(key);
  if (literal !== undefined) return addStep(node, { index: literal, range: bracket });
  return { kind: "index", collection: node, key, bracket, range: between(node.range, bracket) };
}

function parseFullSplat(parser: ExpressionParser, node: Node, open: Token): Node {
  const { scanner } = parser;
  scanner.next();
  const close = parser.expect(
    "]",
    "Missing close bracket on splat index",
    "the brackets of a splat must contain only a star",
  );
  const marker = between(open.range, close.range);
  const each = parseTraversals(parser, { kind: "item", range: marker });
  return { kind: "splat", source: node, each, marker, range: between(node.range, each.range) };
}
export function numberValue(token: Token, scanner: Scanner): Value {
  const parsed = parseNum(token.text);
  if (parsed !== undefined) return number(parsed);
  const why = /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(token.text)
    ? `The number ${token.text} has an exponent that is too large or too small. Use another number, or write it as a string.`
    : `"${token.text}" is not a number. Correct the number, or write it as a string.`;
  throw scanner.error("Invalid number literal", why, token.range);
}

/**
 * Returns the value of an index key if the key is constant, so that it becomes a part of the traversal. Otherwise, returns
 * undefined.
 */
function literalOf(key: Node): Value | undefined {
  if (key.kind === "literal") return key.value;
  const [only] = key.kind === "template" && key.parts.length === 1 ? key.parts : [];
  return only?.kind === "literal" ? only.value : undefined;
}

function addStep(node: Node, step: Step): Node {
  const range = between(node.range, step.range);
  if (node.kind === "reference") {
    const { root, steps } = node.traversal;
    return { kind: "reference", traversal: { root, steps: [...steps, step], range }, range };
  }
  if (node.kind === "relative") return { ...node, steps: [...node.steps, step], range };
  return { kind: "relative", source: node, steps: [step], range };
}

/** The methods of the expression parser that this file needs. */
export interface ExpressionParser {
  readonly scanner: Scanner;
  expression(): Node;
  /** Returns the next token if it is the given symbol; otherwise throws an error. */
  expect(symbol: string, summary: string, why: string): Token;
}

/** The head of a `for` expression: its variables and its collection. */
export interface ForHead {
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Node;
}

/** Parses the head `for k, v in collection`, starting at the word `for`. */
export function parseForHead(parser: ExpressionParser): ForHead {
  const { scanner } = parser;
  scanner.next();
  const first = variableName(scanner);
  const second = scanner.take(",") === undefined ? undefined : variableName(scanner);
  if (!scanner.isAtWord("in")) {
    throw scanner.error("Invalid 'for' expression", 'The word "in" must follow the names of the variables.');
  }
  scanner.next();
  const [keyName, valueName] = second === undefined ? [undefined, first] : [first, second];
  return { keyName, valueName, collection: parser.expression() };
}

function variableName(scanner: Scanner): string {
  const token = scanner.next();
  if (token.kind === "identifier") return token.text;
  throw scanner.error("Invalid 'for' expression", "The name of a variable is missing here.", token.range);
}

/** Parses `[for …]` or `{for …}`, starting at the word `for`. */
export function parseForExpression(parser: ExpressionParser, open: Token): NodeOf<"for"> {
  const { scanner } = parser;
  const head = parseForHead(parser);
  parser.expect(":", "Invalid 'for' expression", "a colon must follow the collection");
  const first = parser.expression();
  const arrow = scanner.take("=>");
  const isObject = open.text === "{";
  if (isObject !== (arrow !== undefined)) {
    throw scanner.error(
      "Invalid 'for' expression",
      isObject
        ? 'An object needs a key and a value for each element, joined by "=>".'
        : '"=>" is allowed only in a for expression with braces, because a tuple has no keys.',
      arrow?.range,
    );
  }
  const value = isObject ? parser.expression() : first;
  const ellipsis = scanner.take("...");
  if (ellipsis !== undefined && !isObject) {
    throw scanner.error(
      "Invalid 'for' expression",
      '"..." is allowed only in a for expression with braces, because grouping needs keys.',
      ellipsis.range,
    );
  }
  const condition = scanner.isAtWord("if") ? parseCondition(parser) : undefined;
  const close = parser.expect(
    isObject ? "}" : "]",
    "Invalid 'for' expression",
    "the for expression must end here",
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
