import type { AttributePath } from "../../diagnostics";
import { JsonNumber } from "../../json";
import { fromJsonDynamic, string, type Value } from "../values";
import { ExpressionError, tooDeep } from "./errors";
import { Parser } from "./parser";
import { children } from "./references";
import { describe, Scanner } from "./scanner";
import type { Expression, Node, Range, Traversal } from "./syntax";
import { parseBare } from "./template-parser";

/**
 * Parses a string of a JSON configuration as a template with `${…}` and `%{…}`. `$${` and `%%{` are the escapes of `${` and `%{`.
 * A template that is a single interpolation has the value of its expression, which can be of any type.
 *
 * @throws ExpressionError
 */
export function parseTemplate(source: string): Expression {
  return finish(source, templateNode(source));
}

/** Matches the start of an interpolation or a directive. Most texts have none, and then need no parser. */
const OPENING = /[$%]\{/;

function templateNode(source: string): Node {
  if (!OPENING.test(source)) {
    return { kind: "literal", value: string(source), range: { start: 0, end: source.length } };
  }
  return parseBare(new Parser(new Scanner(source, 0, false)));
}

/** Parses an expression, such as the text between `${` and `}`. */
export function parseExpression(source: string): Expression {
  const scanner = new Scanner(source, 0, false);
  const root = new Parser(scanner).expression();
  const rest = scanner.peek();
  if (rest.kind === "end") return finish(source, root);
  throw scanner.error(
    "Extra characters after expression",
    `The expression is complete before ${describe(rest)}.`,
    rest.range,
  );
}

/**
 * The maximum height of a syntax tree. The functions that visit the tree are recursive, so each level takes several stack frames.
 */
const MAX_HEIGHT = 1000;
/** The minimum length of a text whose syntax tree can be higher than `MAX_HEIGHT`. */
const SHORTEST_DEEP_TEXT = MAX_HEIGHT / 4;

/** Throws if a syntax tree is too high for recursive functions. @throws ExpressionError */
function checkHeight(source: string, root: Node): void {
  if (source.length < SHORTEST_DEEP_TEXT) return;
  let level: readonly object[] = [root];
  for (let height = 0; level.length > 0; height += 1) {
    if (height > MAX_HEIGHT) throw tooDeep(root.range);
    level = level.flatMap((part) => Object.values(part).filter(isObject));
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * Returns a parsed expression with its source, after checks of the expression.
 *
 * @throws ExpressionError for too many levels, or for cdktf tokens that the app used incorrectly
 */
export function finish(source: string, root: Node): Expression {
  checkHeight(source, root);
  const expression = { source, root };
  checkTokens(expression);
  return expression;
}

/**
 * Parses a reference with attributes and constant indexes, as in `depends_on`, `ignore_changes` and `moved`. The text can also
 * have the form `${…}`.
 *
 * @throws ExpressionError
 */
export function parseTraversal(source: string): Traversal {
  const parsed = source.startsWith("${") ? parseTemplate(source) : parseExpression(source);
  const node = parsed.root.kind === "group" && source.startsWith("${") ? parsed.root.inner : parsed.root;
  if (node.kind === "reference") return node.traversal;
  throw new Scanner(source, 0, true).error(
    "Invalid reference",
    `"${source}" is not a name followed by attributes and constant indexes, such as TYPE.NAME["KEY"].`,
    node.range,
  );
}

const EMPTY_RANGE: Range = { start: 0, end: 0 };

/**
 * Parses a value of a JSON configuration. Strings and object keys become templates, and arrays become tuples. Numbers (also
 * `JsonNumber`), booleans and null become constants.
 *
 * @throws ExpressionError
 */
export const parseJsonExpression = (json: unknown): Expression =>
  constantExpression(json) ?? parsedJson(json);

/** Returns the expression of a JSON value without templates; undefined for any other value. */
export const constantExpression = (json: unknown): Expression | undefined =>
  isConstantJson(json) ? new ConstantExpression(json) : undefined;

function parsedJson(json: unknown): Expression {
  if (typeof json === "string") return parseTemplate(json);
  return { source: "", root: jsonNode(json, []) };
}

/** The expression of a constant, like most expressions. The syntax tree is created on first use, because few callers need it. */
class ConstantExpression implements Expression {
  readonly constant: { readonly json: unknown };
  /**
   * The syntax tree; undefined before its first use. An initial assignment would take longer than the other code of the
   * constructor.
   */
  declare private parsed?: Node;

  constructor(json: unknown) {
    this.constant = { json };
  }

  get source(): string {
    return typeof this.constant.json === "string" ? this.constant.json : "";
  }

  get root(): Node {
    this.parsed ??= parsedJson(this.constant.json).root;
    return this.parsed;
  }
}

/** Matches every text that is a template or can contain a cdktf token. The pattern matches few other texts. */
const SUSPECT = /[$%]\{|\de\+|undefined/;

/** Returns whether a JSON value contains no templates, and nothing that the parser refuses. */
export function isConstantJson(json: unknown): boolean {
  if (typeof json === "string") return !SUSPECT.test(json) || (!OPENING.test(json) && !canHaveToken(json));
  if (typeof json === "number") return Number.isSafeInteger(json) && !Object.is(json, -0);
  if (typeof json !== "object" || json === null) return true;
  if (json instanceof JsonNumber) return false;
  if (Array.isArray(json)) return json.every(isConstantJson);
  for (const key in json)
    if (!isConstantJson(key) || !isConstantJson((json as Record<string, unknown>)[key])) return false;
  return true;
}

function jsonNode(json: unknown, path: AttributePath): Node {
  if (typeof json === "string") return stringNode(json, path);
  if (Array.isArray(json)) {
    return {
      kind: "tuple",
      elements: json.map((one, index) => jsonNode(one, [...path, index])),
      range: EMPTY_RANGE,
    };
  }
  if (typeof json !== "object" || json === null || json instanceof JsonNumber) {
    return { kind: "literal", value: scalar(json, path), range: EMPTY_RANGE };
  }
  const items = Object.entries(json).map(([key, one]) => {
    const inner = [...path, key];
    return { key: jsonNode(key, inner), value: jsonNode(one, inner) };
  });
  return { kind: "object", items, hasUniqueKeys: true, range: EMPTY_RANGE };
}

function scalar(json: unknown, path: AttributePath): Value {
  if (typeof json === "number" || json instanceof JsonNumber) checkNumberToken(json, path);
  return fromJsonDynamic(json);
}

function stringNode(source: string, path: AttributePath): Node {
  try {
    const expression = parseTemplate(source);
    return { kind: "embedded", expression, path, range: { start: 0, end: source.length } };
  } catch (error) {
    throw error instanceof ExpressionError ? error.at(path) : error;
  }
}

/**
 * Matches a cdktf number token in a text. A number token is a double near -1.8e+289, which cdktf uses instead of an unknown
 * number. If the app converts a token to text, the text contains these digits.
 */
const NUMBER_TOKEN = /-?\d(?:\.\d+)?e\+(?:2[89]\d|30\d)(?!\d)/;

/** Returns the cdktf number token within a text, with its range; undefined if there is none. */
function findNumberToken(text: string): { readonly token: string; readonly range: Range } | undefined {
  const match = NUMBER_TOKEN.exec(text);
  return match === null
    ? undefined
    : { token: match[0], range: { start: match.index, end: match.index + match[0].length } };
}

/** Returns whether a text can contain tokens that `checkTokens` refuses. */
const canHaveToken = (text: string): boolean => NUMBER_TOKEN.test(text) || text.includes("undefined");

/** Throws an error if an expression contains cdktf tokens that the app used incorrectly. @throws ExpressionError */
function checkTokens(expression: Expression): void {
  if (!canHaveToken(expression.source)) return;
  checkNode(expression.root, expression.source);
}

function checkNode(node: Node, source: string): void {
  if (node.kind === "literal") checkLiteral(node.value, source, node.range);
  if (node.kind === "reference") checkReference(node.traversal, source);
  for (const child of children(node)) checkNode(child, source);
}

function checkLiteral(value: Value, source: string, range: Range): void {
  const found = value.type.kind === "string" && value.isKnown ? findNumberToken(value.text) : undefined;
  if (found !== undefined) throw numberTokenError(found.token, findNumberToken(source)?.range ?? range);
  if (value.type.kind !== "number") return;
  const written = source.slice(range.start, range.end);
  if (findNumberToken(written) !== undefined) throw numberTokenError(written, range);
}

/** Throws an error if a number in the JSON configuration is a cdktf number token. @throws ExpressionError */
function checkNumberToken(json: number | JsonNumber, path: AttributePath): void {
  const text = String(json);
  const found = findNumberToken(text);
  if (found !== undefined) throw numberTokenError(found.token, found.range).at(path);
}

const numberTokenError = (token: string, range: Range): ExpressionError =>
  new ExpressionError(
    "Number token within a text",
    `"${token}" is cdktf's token for a number that is known later, but it was mixed with text ` +
      "or arithmetic before cdktf could resolve it. Use Token.asString(...) or Fn.tostring(...) " +
      "for the number in a text, and Op or Fn for arithmetic.",
    range,
  );

function checkReference({ root, steps, range }: Traversal, source: string): void {
  const isNamed = steps.some((step) => "attribute" in step && step.attribute === "undefined");
  if (root !== "undefined" && !isNamed) return;
  throw new ExpressionError(
    "Undefined value in an expression",
    `"${source.slice(range.start, range.end)}" comes from a JavaScript value that was undefined ` +
      "when the expression was built. Set the value in the program, or omit the attribute.",
    range,
  );
}
