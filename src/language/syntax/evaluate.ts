import {
  NO_MARKS,
  object,
  refine,
  STRING,
  string,
  type Type,
  tuple,
  UNKNOWN,
  unknown,
  type Value,
} from "../values";
import { evaluateCall } from "./call";
import { Evaluation, type Scope } from "./evaluation";
import { evaluateFor } from "./for";
import { evaluateBinary, evaluateConditional, evaluateUnary } from "./operators";
import { evaluateReference, evaluateSplat, indexValue, takeSteps } from "./reference";
import type { Expression, Node, NodeKind, NodeOf, Range, Step } from "./syntax";

/**
 * Returns the value of an object expression. If a key is unknown, the whole object is unknown, because its type depends on the
 * key.
 */
function evaluateObject(node: NodeOf<"object">, evaluation: Evaluation): Value {
  const entries = new Map<string, Value>();
  let isKnown = true;
  let marks = NO_MARKS;
  for (const item of node.items) {
    const key = evaluateKey(item.key, evaluation);
    const value = evaluation.value(item.value);
    if (key === undefined || !key.isKnown) {
      isKnown = false;
      continue;
    }
    marks |= key.marks;
    if (node.hasUniqueKeys && entries.has(key.text)) {
      evaluation.fail(
        "Duplicate object attribute",
        `Two attributes of this object have the same name${marks !== 0 ? "" : `, "${key.text}"`}.`,
        item.key.range,
      );
    }
    entries.set(key.text, value);
  }
  return isKnown ? object(entries).withMarks(marks) : UNKNOWN;
}

/** Returns the key of an object item as text. If the key is invalid, reports the problem and returns undefined. */
function evaluateKey(node: Node, evaluation: Evaluation): Value | undefined {
  const before = evaluation.problems.length;
  const key = evaluation.value(node);
  if (evaluation.problems.length > before) return undefined;
  if (key.isNull) {
    evaluation.fail("Null value as key", "Null cannot be the name of an attribute.", node.range);
    return undefined;
  }
  const what = "This value cannot be the name of an attribute";
  return evaluation.convert(key, STRING, node.range, "Incorrect key type", what);
}

const INVALID = "Invalid template interpolation value";

function evaluateTemplate(node: NodeOf<"template">, evaluation: Evaluation): Value {
  const before = evaluation.problems.length;
  let isKnown = true;
  let marks = NO_MARKS;
  let text = "";
  for (const part of node.parts) {
    const value = evaluation.value(part);
    if (!value.isNull) marks |= value.marks;
    if (!value.isNull && !value.isKnown) isKnown = false;
    else
      text += isKnown
        ? textOfPart(value.unmark(), part.range, evaluation)
        : checkedPart(value.unmark(), part.range, evaluation);
  }
  if (isKnown) return string(text).withMarks(marks);
  const prefix = evaluation.problems.length === before ? text : "";
  return refine(unknown(STRING), { prefix, isNotNull: true }).withMarks(marks);
}

/**
 * Checks that a part of a template can be converted to text. Returns an empty text, because an earlier unknown part makes the
 * result unknown anyway.
 */
function checkedPart(value: Value, range: Range, evaluation: Evaluation): string {
  textOfPart(value, range, evaluation);
  return "";
}

function textOfPart(value: Value, range: Range, evaluation: Evaluation): string {
  if (value.isNull) {
    evaluation.fail(
      INVALID,
      "The value is null and can't be converted to text. Use coalesce() to replace it.",
      range,
    );
    return "";
  }
  const [what, hint] = ["The value can't be part of a text", " Use jsonencode() or join() to convert it."];
  const text = evaluation.convert(value, STRING, range, INVALID, what, hint);
  return text === undefined ? "" : text.text;
}

/** Returns the value of a `%{ for }`: the texts of all iterations as one text. */
function evaluateJoin(node: NodeOf<"join">, evaluation: Evaluation): Value {
  const rounds = evaluation.value(node.parts);
  if (!rounds.isKnown) return unknown(STRING);
  let marks = rounds.marks;
  let text = "";
  for (const round of rounds.elements) {
    if (!round.isNull && !round.isKnown) return unknown(STRING).withMarks(rounds.marks);
    marks |= round.marks;
    text += textOfPart(round.unmark(), node.range, evaluation);
  }
  return string(text).withMarks(marks);
}

/**
 * Returns the value of an expression, by Terraform's rules for unknown, null and sensitive values.
 * @throws ExpressionError for the first problem; its `others` are the further problems
 */
export function evaluate(expression: Expression, scope: Scope): Value {
  const evaluation = Evaluation.start(scope, evaluateNode);
  const value = evaluateNode(expression.root, evaluation);
  const [first, ...others] = evaluation.problems;
  if (first !== undefined) throw others.length === 0 ? first : first.with(others);
  return value;
}

/** Returns the reason why a value of a type can't have the attributes and indexes in `steps`; undefined if it can. */
export function checkSteps(
  type: Type,
  steps: readonly Step[],
): { readonly summary: string; readonly detail: string } | undefined {
  const evaluation = Evaluation.start({ resolve: () => undefined }, evaluateNode);
  takeSteps(unknown(type), steps, evaluation);
  const [problem] = evaluation.problems;
  return problem && { summary: problem.summary, detail: problem.detail };
}

const evaluateNode = (node: Node, evaluation: Evaluation): Value =>
  (EVALUATORS[node.kind] as (node: Node, evaluation: Evaluation) => Value)(node, evaluation);

const EVALUATORS: { readonly [K in NodeKind]: (node: NodeOf<K>, evaluation: Evaluation) => Value } = {
  literal: ({ value }) => value,
  reference: evaluateReference,
  relative: ({ source, steps }, evaluation) => takeSteps(evaluateNode(source, evaluation), steps, evaluation),
  index: ({ collection, key, bracket }, evaluation) =>
    indexValue(evaluateNode(collection, evaluation), evaluateNode(key, evaluation), bracket, evaluation),
  splat: evaluateSplat,
  item: (_, evaluation) => evaluation.item,
  template: evaluateTemplate,
  join: evaluateJoin,
  group: ({ inner }, evaluation) => evaluateNode(inner, evaluation),
  conditional: evaluateConditional,
  binary: evaluateBinary,
  unary: evaluateUnary,
  call: evaluateCall,
  tuple: ({ elements }, evaluation) => tuple(elements.map((element) => evaluation.value(element))),
  object: evaluateObject,
  for: evaluateFor,
  embedded: ({ expression, path }, evaluation) => evaluateNode(expression.root, evaluation.within(path)),
};
