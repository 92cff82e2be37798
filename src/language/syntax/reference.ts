import {
  type CollectionType,
  ConversionError,
  convert,
  DYNAMIC,
  EMPTY_TUPLE,
  isCollection,
  isSequence,
  lengthRange,
  list,
  listOf,
  NUMBER,
  type ObjectType,
  ownMarks,
  refine,
  STRING,
  sign,
  string,
  type TupleType,
  type Type,
  toBigInt,
  toInteger,
  tuple,
  tupleOf,
  typeName,
  UNKNOWN,
  unknown,
  type Value,
} from "../values";
import { ExpressionError, StaticExpressionError, suggest } from "./errors";
import type { Evaluation } from "./evaluation";
import type { NodeOf, Range, Step } from "./syntax";

export function evaluateReference({ traversal, range }: NodeOf<"reference">, evaluation: Evaluation): Value {
  const local = evaluation.local(traversal.root);
  if (local !== undefined) return takeSteps(local, traversal.steps, evaluation);
  try {
    const found = evaluation.scope.resolve(traversal);
    if (found !== undefined) return takeSteps(found.value, traversal.steps.slice(found.consumed), evaluation);
  } catch (error) {
    if (!(error instanceof ExpressionError) || error instanceof StaticExpressionError) throw error;
    evaluation.problems.push(error);
    return UNKNOWN;
  }
  const { summary, detail } = evaluation.scope.explainUnknown?.(traversal) ?? {
    summary: "Reference to an unknown name",
    detail: `There is nothing named "${traversal.root}" here.`,
  };
  throw evaluation.staticError(summary, detail, range);
}

export function takeSteps(value: Value, steps: readonly Step[], evaluation: Evaluation): Value {
  let current = value;
  for (const step of steps) {
    const before = evaluation.problems.length;
    current =
      "attribute" in step
        ? attributeOf(current, step.attribute, step.range, evaluation)
        : indexValue(current, step.index, step.range, evaluation);
    if (evaluation.problems.length > before) return current;
  }
  return current;
}

function attributeOf(value: Value, name: string, range: Range, evaluation: Evaluation): Value {
  if (value.isNull) {
    return evaluation.fail(
      "Attempt to get attribute from null value",
      `This value is null, so it has no attribute "${name}".`,
      range,
    );
  }
  const { type } = value;
  if (type.kind === "dynamic") return UNKNOWN.withMarks(value.marks);
  if (type.kind === "map") return indexValue(value, string(name), range, evaluation);
  const attribute = type.kind === "object" ? type.attributes.get(name) : undefined;
  if (attribute === undefined)
    return evaluation.fail("Unsupported attribute", noAttribute(type, name), range);
  if (!value.isKnown) return unknown(attribute).withMarks(value.marks);
  return value.entries.get(name)!.withMarks(value.marks);
}

function noAttribute(type: Type, name: string): string {
  if (type.kind === "object") {
    return `This object does not have an attribute named "${name}".${suggest(name, type.attributes.keys())}`;
  }
  const isInList = (type.kind === "list" || type.kind === "set") && type.element.kind === "object";
  const hint = isInList
    ? ` Its elements are objects: take one of them${type.kind === "set" ? "" : ", [0]"}, or of all with [*].`
    : "";
  return `A value of type ${typeName(type)} has no attributes, so there is no "${name}".${hint}`;
}

const INVALID = "Invalid index";
const NO_ELEMENT = "The given key does not identify an element in this collection value";

/** The error for an element that a value does not have. The message of the error consists of complete sentences. */
class NoElement extends Error {}

export function indexValue(collection: Value, key: Value, range: Range, evaluation: Evaluation): Value {
  if (collection.isNull) {
    return evaluation.fail(
      "Attempt to index null value",
      "This value is null, so it has no elements.",
      range,
    );
  }
  if (key.isNull) return evaluation.fail(INVALID, "Null cannot be the key of an element.", range);
  if (collection.type.kind === "dynamic" || key.type.kind === "dynamic") {
    return UNKNOWN.withMarks(collection.marks);
  }
  try {
    return elementOf(collection, key);
  } catch (error) {
    if (error instanceof NoElement) return evaluation.fail(INVALID, error.message, range);
    if (!(error instanceof ConversionError)) throw error;
    return evaluation.fail(INVALID, `${NO_ELEMENT}: ${error.message}.`, range);
  }
}

/** Returns the element with a key or index in a collection. @throws NoElement, or ConversionError for a key of the wrong type */
function elementOf(collection: Value, key: Value): Value {
  const { type } = collection;
  switch (type.kind) {
    case "list":
    case "tuple":
      return elementOfSequence(collection, type as CollectionType | TupleType, convert(key, NUMBER));
    case "map":
      return elementOfMap(collection, type.element, convert(key, STRING));
    case "object":
      return attributeByKey(collection, type, key);
    case "set":
      throw new NoElement(
        "The elements of a set have no order and no keys. Use a for expression or tolist() to get at them.",
      );
    default:
      throw new NoElement(`A value of type ${typeName(type)} has no elements.`);
  }
}

const markedBy = (value: Value, ...others: readonly Value[]): Value => value.withMarks(ownMarks(others));

function elementOfSequence(collection: Value, type: CollectionType | TupleType, key: Value): Value {
  const length = type.kind === "tuple" ? type.elements.length : undefined;
  if (!key.isKnown) return markedBy(type.kind === "tuple" ? UNKNOWN : unknown(type.element), collection);
  const position = toInteger(key.num);
  if (!collection.isKnown) {
    if (type.kind !== "tuple") return markedBy(unknown(type.element), collection);
    const element = position === undefined ? undefined : type.elements[position];
    if (element !== undefined) return markedBy(unknown(element), collection, key);
  }
  const elements = collection.isKnown ? collection.elements : [];
  const found = position === undefined ? undefined : elements[position];
  if (found !== undefined) return markedBy(found, collection, key);
  throw new NoElement(`${NO_ELEMENT}: ${noPosition(key, length ?? elements.length)}.`);
}

function noPosition(key: Value, length: number): string {
  const position = key.num;
  if (toBigInt(position) === undefined) return "an index must be a whole number";
  if (sign(position) < 0) return "an index must not be negative";
  return length === 0
    ? "it has no elements"
    : `it has ${length} element${length === 1 ? "" : "s"}, and the first is [0]`;
}

function elementOfMap(collection: Value, element: Type, key: Value): Value {
  if (!collection.isKnown || !key.isKnown) return markedBy(unknown(element), collection);
  const found = collection.entries.get(key.text);
  if (found !== undefined) return markedBy(found, collection, key);
  const missing = key.marks
    ? "."
    : `: there is no key "${key.text}".${suggest(key.text, collection.entries.keys())}`;
  throw new NoElement(NO_ELEMENT + missing);
}

function attributeByKey(collection: Value, type: ObjectType, key: Value): Value {
  const name = convert(key, STRING);
  if (!collection.isKnown || !name.isKnown) return markedBy(UNKNOWN, collection);
  const found = collection.entries.get(name.text);
  if (found !== undefined) return markedBy(found, collection);
  const suggestion = key.marks ? "" : suggest(name.text, type.attributes.keys());
  const isPosition = key.type.kind === "number";
  const hint = isPosition ? " The attributes of an object have names, not positions." : suggestion;
  throw new NoElement(`${NO_ELEMENT}.${hint}`);
}

/**
 * Returns the value of a splat such as `source[*].x`: the list of `x` of each element. A value that is not a list counts as a
 * list of one element, and null as an empty list.
 */
export function evaluateSplat(node: NodeOf<"splat">, evaluation: Evaluation): Value {
  const before = evaluation.problems.length;
  const source = evaluation.value(node.source);
  if (evaluation.problems.length > before) return UNKNOWN;
  const isList = isSequence(source.type);
  if (source.isNull) {
    if (!isList) return EMPTY_TUPLE.withMarks(source.marks);
    return evaluation.fail(
      "Splat of null value",
      "This sequence is null, so there are no elements to go through.",
      node.source.range,
    );
  }
  if (source.type.kind === "dynamic") return UNKNOWN.withMarks(source.marks);
  const result = isList ? ofSequence(node, source.unmark(), evaluation) : ofSingle(node, source, evaluation);
  return result.withMarks(source.marks);
}

function ofSingle(node: NodeOf<"splat">, source: Value, evaluation: Evaluation): Value {
  const only = tuple([evaluation.withItem(source).value(node.each)]);
  // If the value can be null, the result is unknown, because null would have no elements.
  return !source.isKnown && !source.isNotNull ? UNKNOWN : only;
}

function ofSequence(node: NodeOf<"splat">, source: Value, evaluation: Evaluation): Value {
  if (!source.isKnown) return ofUnknown(node, source, evaluation);
  const before = evaluation.problems.length;
  const elements = source.elements.map((element) => evaluation.withItem(element).value(node.each));
  if (evaluation.problems.length > before) return unknown(resultType(node, source.type, evaluation));
  if (source.type.kind === "tuple") return tuple(elements);
  if (elements.length > 0) return list(elements);
  const type = resultType(node, source.type, evaluation);
  return list([], isCollection(type) ? type.element : DYNAMIC);
}

function ofUnknown(node: NodeOf<"splat">, source: Value, evaluation: Evaluation): Value {
  const type = resultType(node, source.type, evaluation);
  const result = refine(unknown(type), { isNotNull: true });
  if (!isCollection(source.type)) return result;
  const [minLength, maxLength] = lengthRange(source);
  return refine(result, { minLength, maxLength });
}

/** Returns the type of a splat's result, from an evaluation with unknown elements. */
function resultType(node: NodeOf<"splat">, source: Type, evaluation: Evaluation): Type {
  const typeOf = (element: Type): Type => evaluation.withItem(unknown(element)).value(node.each).type;
  if (source.kind === "tuple") return tupleOf(source.elements.map(typeOf));
  return isCollection(source) ? listOf(typeOf(source.element)) : DYNAMIC;
}
