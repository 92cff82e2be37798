import {
  BOOL,
  countNum,
  type Marks,
  NO_MARKS,
  number,
  object,
  STRING,
  string,
  tuple,
  typeName,
  UNKNOWN,
  type Value,
} from "../values";
import type { Evaluation } from "./evaluation";
import type { Node, NodeOf } from "./syntax";

/**
 * Two facts about the result of a `for` expression: whether it is known, and its marks. If a key or condition is unknown, the
 * result is unknown. If a key or condition is sensitive, the result is sensitive.
 */
interface ForResult {
  isKnown: boolean;
  marks: Marks;
}

const INVALID_CONDITION = "Invalid 'for' condition";

export function evaluateFor(node: NodeOf<"for">, evaluation: Evaluation): Value {
  const given = evaluation.value(node.collection);
  if (given.isNull) {
    return evaluation.fail(
      "Iteration over null value",
      "A for expression can't iterate over null.",
      node.collection.range,
    );
  }
  if (given.type.kind === "dynamic") return UNKNOWN;
  const collection = given.unmark();
  const gathered: ForResult = { isKnown: true, marks: given.marks };
  if (["string", "number", "bool"].includes(collection.type.kind)) {
    return evaluation.fail(
      "Iteration over non-iterable value",
      `A value of type ${typeName(collection.type)} can't be iterated by a for expression.`,
      node.collection.range,
    );
  }
  const before = evaluation.problems.length;
  const probe = node.condition === undefined ? undefined : probeCondition(node, node.condition, evaluation);
  if (evaluation.problems.length > before) return UNKNOWN;
  if (!collection.isKnown) return UNKNOWN.withMarks(given.marks | (probe?.marks ?? NO_MARKS));
  const each = included(node, collection, evaluation, gathered);
  const result =
    node.key === undefined
      ? tuple(Array.from(each, (inner) => inner.value(node.value)))
      : gatherObject(node, node.key, each, gathered);
  return (gathered.isKnown ? result : UNKNOWN).withMarks(gathered.marks);
}

/**
 * Evaluates the condition of a `for` once with unknown variables, so that its errors are also reported for an empty collection.
 */
function probeCondition(node: NodeOf<"for">, condition: Node, evaluation: Evaluation): ForResult {
  const probe: ForResult = { isKnown: true, marks: NO_MARKS };
  const inner = evaluation.withLocals([
    [node.keyName, UNKNOWN],
    [node.valueName, UNKNOWN],
  ]);
  isIncluded(condition, inner, probe);
  return probe;
}

/** Yields the key and value of each element, in order. In a set, the element is its own key. */
function* iterations(collection: Value): Generator<[Value, Value]> {
  if (collection.content instanceof Map) {
    for (const [key, value] of collection.entries) yield [string(key), value];
    return;
  }
  for (const [index, element] of collection.elements.entries()) {
    yield [collection.type.kind === "set" ? element : number(countNum(index)), element];
  }
}

function* included(
  node: NodeOf<"for">,
  collection: Value,
  evaluation: Evaluation,
  gathered: ForResult,
): Generator<Evaluation> {
  for (const [key, value] of iterations(collection)) {
    const inner = evaluation.withLocals([
      [node.keyName, key],
      [node.valueName, value],
    ]);
    if (node.condition === undefined || isIncluded(node.condition, inner, gathered)) yield inner;
  }
}

/**
 * Returns whether the condition selects the current element. If the condition is unknown, returns false and sets `isKnown` of
 * `gathered` to false.
 */
function isIncluded(condition: Node, evaluation: Evaluation, gathered: ForResult): boolean {
  const value = evaluation.value(condition);
  gathered.marks |= value.marks;
  if (value.isNull) {
    gathered.isKnown = false;
    evaluation.fail(
      INVALID_CONDITION,
      "The value of the 'if' clause is null; it must be true or false.",
      condition.range,
    );
    return false;
  }
  const truth = evaluation.convert(
    value.unmark(),
    BOOL,
    condition.range,
    INVALID_CONDITION,
    "The value of the 'if' clause is not a condition",
  );
  if (truth === undefined || !truth.isKnown) {
    gathered.isKnown = false;
    return false;
  }
  return truth.isTrue;
}

function gatherObject(node: NodeOf<"for">, keyNode: Node, each: Iterable<Evaluation>, gathered: ForResult) {
  const groups = new Map<string, Value[]>();
  for (const inner of each) {
    const key = keyOf(keyNode, inner, gathered);
    if (key === undefined) {
      gathered.isKnown = false;
      continue;
    }
    const value = inner.value(node.value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else if (node.isGrouped) group.push(value);
    else {
      inner.fail(
        "Duplicate object key",
        `Two elements have the key ${gathered.marks !== 0 ? "of a sensitive value" : `"${key}"`}. To collect the values of equal keys, write "..." after the value.`,
        keyNode.range,
      );
    }
  }
  return object(
    new Map([...groups].map(([key, values]) => [key, node.isGrouped ? tuple(values) : values[0]!])),
  );
}

/** Returns the key of the current element; undefined if the key is unknown or invalid. */
function keyOf(node: Node, evaluation: Evaluation, gathered: ForResult): string | undefined {
  const value = evaluation.value(node);
  if (value.isNull) {
    evaluation.fail("Invalid object key", "Null cannot be the key of an object.", node.range);
    return undefined;
  }
  gathered.marks |= value.marks;
  if (!value.isKnown) return undefined;
  const what = "This value cannot be the key of an object";
  const key = evaluation.convert(value.unmark(), STRING, node.range, "Invalid object key", what);
  return key === undefined ? undefined : key.text;
}
