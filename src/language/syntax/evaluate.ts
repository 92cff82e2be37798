import {
  ConversionError,
  convert,
  elementsOf,
  isKnown,
  isNull,
  NO_MARKS,
  object,
  refine,
  STRING,
  string,
  textOf,
  tuple,
  UNKNOWN,
  unknown,
  unmark,
  type Value,
  withMarks,
} from "../values";
import { evaluateCall } from "./call";
import { evaluateConditional } from "./conditional";
import { Evaluation, type Scope } from "./evaluation";
import { evaluateFor } from "./for";
import { evaluateBinary, evaluateUnary } from "./operators";
import { evaluateReference, evaluateSplat, indexValue, takeSteps } from "./reference";
import type { Expression, Join, Node, ObjectConstructor, Range, Template, Tuple } from "./syntax";

const evaluateTuple = (node: Tuple, evaluation: Evaluation): Value =>
  tuple(node.elements.map((element) => evaluation.value(element)));

/** An object with an unknown key is unknown: its type depends on the key. */
function evaluateObject(node: ObjectConstructor, evaluation: Evaluation): Value {
  const entries = new Map<string, Value>();
  let known = true;
  let marks = NO_MARKS;
  for (const item of node.items) {
    const key = evaluateKey(item.key, evaluation);
    const value = evaluation.value(item.value);
    if (key === undefined || !isKnown(key)) {
      known = false;
      continue;
    }
    marks |= key.marks;
    if (node.uniqueKeys && entries.has(textOf(key))) {
      evaluation.fail(
        "Duplicate object attribute",
        `Two attributes of this object have the same name${marks !== 0 ? "" : `, "${textOf(key)}"`}.`,
        item.key.range,
      );
    }
    entries.set(textOf(key), value);
  }
  return known ? withMarks(object(entries), marks) : UNKNOWN;
}

/** The key as text; undefined if it is invalid, which is reported. */
function evaluateKey(node: Node, evaluation: Evaluation): Value | undefined {
  const before = evaluation.problems.length;
  const key = evaluation.value(node);
  if (evaluation.problems.length > before) return undefined;
  if (isNull(key)) {
    evaluation.fail("Null value as key", "Null cannot be the name of an attribute.", node.range);
    return undefined;
  }
  try {
    return convert(key, STRING);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    evaluation.fail(
      "Incorrect key type",
      `This value cannot be the name of an attribute: ${error.message}.`,
      node.range,
    );
    return undefined;
  }
}

const INVALID = "Invalid template interpolation value";

function evaluateTemplate(node: Template, evaluation: Evaluation): Value {
  const before = evaluation.problems.length;
  let known = true;
  let marks = NO_MARKS;
  let text = "";
  for (const part of node.parts) {
    const value = evaluation.value(part);
    if (!isNull(value)) marks |= value.marks;
    if (!isNull(value) && !isKnown(value)) known = false;
    else
      text += known
        ? textOfPart(unmark(value), part.range, evaluation)
        : checkedPart(unmark(value), part.range, evaluation);
  }
  if (known) return withMarks(string(text), marks);
  const prefix = evaluation.problems.length === before ? text : "";
  return withMarks(refine(unknown(STRING), { prefix, notNull: true }), marks);
}

/** Parts after an unknown one must be valid text too. */
function checkedPart(value: Value, range: Range, evaluation: Evaluation): string {
  textOfPart(value, range, evaluation);
  return "";
}

function textOfPart(value: Value, range: Range, evaluation: Evaluation): string {
  if (isNull(value)) {
    evaluation.fail(
      INVALID,
      "The value is null and can't be converted to text. Use coalesce() to replace it.",
      range,
    );
    return "";
  }
  try {
    return textOf(convert(value, STRING));
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    evaluation.fail(
      INVALID,
      `The value can't be part of a text: ${error.message}. Use jsonencode() or join() to convert it.`,
      range,
    );
    return "";
  }
}

/** The iterations of a `%{ for }` as one text. */
function evaluateJoin(node: Join, evaluation: Evaluation): Value {
  const rounds = evaluation.value(node.parts);
  if (!isKnown(rounds)) return unknown(STRING);
  let marks = rounds.marks;
  let text = "";
  for (const round of elementsOf(rounds)) {
    if (!isNull(round) && !isKnown(round)) return withMarks(unknown(STRING), rounds.marks);
    marks |= round.marks;
    text += textOfPart(unmark(round), node.range, evaluation);
  }
  return withMarks(string(text), marks);
}

/**
 * Evaluates an expression with Terraform's rules for unknown, null and sensitive values.
 * @throws ExpressionError the first problem, with the `others`
 */
export function evaluate(expression: Expression, scope: Scope): Value {
  const evaluation = Evaluation.start(scope, expression.source, evaluateNode);
  const value = evaluateNode(expression.root, evaluation);
  const [first, ...others] = evaluation.problems;
  if (first !== undefined) throw others.length === 0 ? first : first.with(others);
  return value;
}

function evaluateNode(node: Node, evaluation: Evaluation): Value {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "reference":
      return evaluateReference(node, evaluation);
    case "relative":
      return takeSteps(evaluateNode(node.source, evaluation), node.steps, evaluation);
    case "index":
      return indexValue(
        evaluateNode(node.collection, evaluation),
        evaluateNode(node.key, evaluation),
        node.bracket,
        evaluation,
      );
    case "splat":
      return evaluateSplat(node, evaluation);
    case "item":
      return evaluation.item;
    case "template":
      return evaluateTemplate(node, evaluation);
    case "join":
      return evaluateJoin(node, evaluation);
    case "group":
      return evaluateNode(node.inner, evaluation);
    case "conditional":
      return evaluateConditional(node, evaluation);
    case "binary":
      return evaluateBinary(node, evaluation);
    case "unary":
      return evaluateUnary(node, evaluation);
    case "call":
      return evaluateCall(node, evaluation);
    case "tuple":
      return evaluateTuple(node, evaluation);
    case "object":
      return evaluateObject(node, evaluation);
    case "for":
      return evaluateFor(node, evaluation);
    case "embedded": {
      const { expression, path } = node;
      return evaluateNode(expression.root, evaluation.within(expression.source, path));
    }
  }
}
