import {
  BOOL,
  DYNAMIC,
  isCollection,
  isSameType,
  NULL,
  nullOf,
  refine,
  type Type,
  typeName,
  UNKNOWN,
  unify,
  unionOf,
  unknown,
  type Value,
} from "../values";
import type { Evaluation } from "./evaluation";
import { between, type NodeOf } from "./syntax";

const INCONSISTENT = "Inconsistent conditional result types";

/**
 * Both results are evaluated, because the type depends on both; only the problems of the chosen one are
 * reported.
 */
export function evaluateConditional(node: NodeOf<"conditional">, evaluation: Evaluation): Value {
  const then = evaluation.attempt(node.whenTrue);
  const otherwise = evaluation.attempt(node.whenFalse);
  const type = commonType(then.value, otherwise.value);
  if (type === undefined) {
    return evaluation.fail(
      INCONSISTENT,
      `The results for true and false must have a common type. ${describeMismatch(then.value.type, otherwise.value.type)}.`,
      between(node.whenTrue.range, node.whenFalse.range),
    );
  }
  const condition = evaluation.value(node.condition);
  if (condition.isNull) {
    return evaluation.fail(
      "Null condition",
      "The condition is null; it must be true or false.",
      node.condition.range,
      unknown(type),
    );
  }
  const marks = condition.marks | then.value.marks | otherwise.value.marks;
  if (!condition.isKnown) {
    return undecided(then.value.unmark(), otherwise.value.unmark(), type).withMarks(marks);
  }
  const what = "The condition must be true or false";
  const { range } = node.condition;
  const converted = evaluation.convert(condition.unmark(), BOOL, range, "Incorrect condition type", what);
  if (converted === undefined) return unknown(type);
  const [chosen, chosenNode] = converted.isTrue ? [then, node.whenTrue] : [otherwise, node.whenFalse];
  evaluation.problems.push(...chosen.problems);
  if (type.kind === "dynamic") return chosen.value.withMarks(marks);
  const result = evaluation.convert(
    chosen.value,
    type,
    chosenNode.range,
    INCONSISTENT,
    "This result has the wrong type",
  );
  return (result ?? unknown(type)).withMarks(marks);
}

/** `null` takes the other result's type; if one type is unknown, so is that of the conditional. */
function commonType(then: Value, otherwise: Value): Type | undefined {
  if (isPlainNull(then)) return otherwise.type;
  if (isPlainNull(otherwise)) return then.type;
  if (then.type.kind === "dynamic" || otherwise.type.kind === "dynamic") return DYNAMIC;
  return isSameType(then.type, otherwise.type) ? then.type : unify([then.type, otherwise.type]);
}

const isPlainNull = (value: Value): boolean =>
  value.content === null && value.type === NULL.type && !value.marks;

/** What is known about a choice that cannot be made yet. */
function undecided(then: Value, otherwise: Value, type: Type): Value {
  if (then.isNull && otherwise.isNull) return nullOf(type);
  if (type.kind === "dynamic") return UNKNOWN;
  const { isNotNull, ...range } = unionOf(then, otherwise);
  const hasRange =
    (then.type.kind === "number" && otherwise.type.kind === "number") ||
    (isCollection(then.type) && isSameType(then.type, otherwise.type));
  return refine(
    unknown(type),
    hasRange ? { ...range, isNotNull: isNotNull === true } : { isNotNull: isNotNull === true },
  );
}

function describeMismatch(then: Type, otherwise: Type): string {
  if (then.kind === "object" && otherwise.kind === "object") {
    for (const [name, type] of then.attributes) {
      const other = otherwise.attributes.get(name);
      if (other === undefined) return `Only the result for true has the attribute "${name}"`;
      if (!isSameType(type, other)) return `In the attribute "${name}": ${describeMismatch(type, other)}`;
    }
    const extra = [...otherwise.attributes.keys()].find((name) => !then.attributes.has(name));
    if (extra !== undefined) return `Only the result for false has the attribute "${extra}"`;
  }
  if (then.kind === "tuple" && otherwise.kind === "tuple") {
    if (then.elements.length !== otherwise.elements.length) {
      return `The result for true has ${then.elements.length} elements, the one for false ${otherwise.elements.length}`;
    }
    const at = then.elements.findIndex((type, index) => !isSameType(type, otherwise.elements[index]!));
    if (at >= 0) return `In element ${at}: ${describeMismatch(then.elements[at]!, otherwise.elements[at]!)}`;
  }
  return `The result for true is ${typeName(then)}, the one for false ${typeName(otherwise)}`;
}
