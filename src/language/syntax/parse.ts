import type { AttributePath } from "../../diagnostics";
import { JsonNumber } from "../../json";
import { fromJsonDynamic, string, type Value } from "../values";
import { checkTraps, checkTrapsInNumber } from "./cdktf-traps";
import { ExpressionError } from "./errors";
import { checkHeight } from "./nesting";
import { Parser } from "./parser";
import { describe, Scanner } from "./scanner";
import type { Expression, Node, Range, Traversal } from "./syntax";
import { parseBare } from "./template-parser";

/**
 * Parses a string of a JSON configuration: text with `${…}` and `%{…}`, where `$${` and `%%{` stand for themselves.
 * A text that is one interpolation and nothing else has that expression's value, of whatever type.
 * @throws ExpressionError
 */
export function parseTemplate(source: string): Expression {
  return finish(source, templateNode(source));
}

/** Texts without a dollar or percent sign before a brace, which are most, need no parser. */
const OPENING = /[$%]\{/;

function templateNode(source: string): Node {
  if (!OPENING.test(source)) {
    return { kind: "literal", value: string(source), range: { start: 0, end: source.length } };
  }
  const scanner = new Scanner(source, 0, false);
  const parser = new Parser(scanner);
  return parseBare(scanner, () => parser.expression());
}

/** Parses an expression as it stands inside `${…}`. @throws ExpressionError */
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

function finish(source: string, root: Node): Expression {
  checkHeight(source, root);
  const expression = { source, root };
  checkTraps(expression);
  return expression;
}

/**
 * Parses a reference with constant steps, such as stand in `depends_on`, `ignore_changes` and `moved`; also written as
 * a template that is this reference and nothing else.
 * @throws ExpressionError
 */
export function parseTraversal(source: string): Traversal {
  const parsed = source.startsWith("${") ? parseTemplate(source) : parseExpression(source);
  const node = parsed.root.kind === "group" && source.startsWith("${") ? parsed.root.inner : parsed.root;
  if (node.kind === "reference") return node.traversal;
  throw new Scanner(source, 0, true).error(
    "Invalid reference",
    `"${source}" is not a name followed by attributes and constant indexes, such as steward_project.web["main"].`,
    node.range,
  );
}

const NOWHERE: Range = { start: 0, end: 0 };

/**
 * Parses a value of a JSON configuration: strings are templates, arrays tuples, objects objects whose keys are
 * templates too; numbers (also `JsonNumber`), booleans and null are themselves.
 * @throws ExpressionError
 */
export function parseJsonExpression(json: unknown): Expression {
  if (typeof json === "string") return parseTemplate(json);
  return { source: "", root: jsonNode(json, []) };
}

function jsonNode(json: unknown, path: AttributePath): Node {
  if (typeof json === "string") return stringNode(json, path);
  if (Array.isArray(json)) {
    return {
      kind: "tuple",
      elements: json.map((one, index) => jsonNode(one, [...path, index])),
      range: NOWHERE,
    };
  }
  if (typeof json !== "object" || json === null || json instanceof JsonNumber) {
    return { kind: "literal", value: scalar(json, path), range: NOWHERE };
  }
  const items = Object.entries(json).map(([key, one]) => {
    const inner = [...path, key];
    return { key: jsonNode(key, inner), value: jsonNode(one, inner) };
  });
  return { kind: "object", items, uniqueKeys: true, range: NOWHERE };
}

function scalar(json: unknown, path: AttributePath): Value {
  if (typeof json === "number" || json instanceof JsonNumber) checkTrapsInNumber(json, path);
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
