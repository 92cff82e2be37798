import { number, parseNum, type Value } from "../values";
import { tooDeep } from "./errors";
import type { ExpressionParser } from "./for-parser";
import { describe, type Scanner, type Token } from "./scanner";
import { between, type Node, type Step } from "./syntax";

/** No value is nested as deeply. */
const MAX_STEPS = 1000;

/** Attributes, indexes and splats after a term. */
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
      `A dot is followed by the name of an attribute, not by ${describe(token)}.`,
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
      parser.expect("]", "Missing close bracket on index", "an index ends with a bracket"),
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
    "the star of a splat stands alone in its brackets",
  );
  const marker = between(open.range, close.range);
  const each = parseTraversals(parser, { kind: "item", range: marker });
  return { kind: "splat", source: node, each, marker, range: between(node.range, each.range) };
}
export function numberValue(token: Token, scanner: Scanner): Value {
  const parsed = parseNum(token.text);
  if (parsed !== undefined) return number(parsed);
  throw scanner.error("Invalid number literal", `"${token.text}" is not a number.`, token.range);
}

/** The value of a constant key, which makes the index part of the traversal. */
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
