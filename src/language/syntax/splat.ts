import {
  DYNAMIC,
  EMPTY_TUPLE,
  elementsOf,
  isCollection,
  isKnown,
  isNotNull,
  isNull,
  lengthRange,
  list,
  listOf,
  refine,
  type Type,
  tuple,
  tupleOf,
  UNKNOWN,
  unknown,
  unmark,
  type Value,
  withMarks,
} from "../values";
import type { Evaluation } from "./evaluation";
import type { Splat } from "./syntax";

/** `source[*].x`: applied to each element. A single value counts as one element, null as none. */
export function evaluateSplat(node: Splat, evaluation: Evaluation): Value {
  const before = evaluation.problems.length;
  const source = evaluation.value(node.source);
  if (evaluation.problems.length > before) return UNKNOWN;
  const isSequence =
    source.type.kind === "tuple" || source.type.kind === "list" || source.type.kind === "set";
  if (isNull(source)) {
    if (!isSequence) return withMarks(EMPTY_TUPLE, source.marks);
    return evaluation.fail(
      "Splat of null value",
      "This sequence is null, so there are no elements to go through.",
      node.source.range,
    );
  }
  if (source.type.kind === "dynamic") return withMarks(UNKNOWN, source.marks);
  const result = isSequence
    ? ofSequence(node, unmark(source), evaluation)
    : ofSingle(node, source, evaluation);
  return withMarks(result, source.marks);
}

function ofSingle(node: Splat, source: Value, evaluation: Evaluation): Value {
  const only = tuple([evaluation.withItem(source).value(node.each)]);
  // A value that turns out to be null has no elements.
  return !isKnown(source) && !isNotNull(source) ? UNKNOWN : only;
}

function ofSequence(node: Splat, source: Value, evaluation: Evaluation): Value {
  if (!isKnown(source)) return ofUnknown(node, source, evaluation);
  const before = evaluation.problems.length;
  const elements = elementsOf(source).map((element) => evaluation.withItem(element).value(node.each));
  if (evaluation.problems.length > before) return unknown(resultType(node, source.type, evaluation));
  if (source.type.kind === "tuple") return tuple(elements);
  if (elements.length > 0) return list(elements);
  const type = resultType(node, source.type, evaluation);
  return list([], isCollection(type) ? type.element : DYNAMIC);
}

function ofUnknown(node: Splat, source: Value, evaluation: Evaluation): Value {
  const type = resultType(node, source.type, evaluation);
  const result = refine(unknown(type), { notNull: true });
  if (!isCollection(source.type)) return result;
  const [minLength, maxLength] = lengthRange(source);
  return refine(result, { minLength, maxLength });
}

/** The type of the result, found with unknown elements. */
function resultType(node: Splat, source: Type, evaluation: Evaluation): Type {
  const typeOf = (element: Type): Type => evaluation.withItem(unknown(element)).value(node.each).type;
  if (source.kind === "tuple") return tupleOf(source.elements.map(typeOf));
  return isCollection(source) ? listOf(typeOf(source.element)) : DYNAMIC;
}
