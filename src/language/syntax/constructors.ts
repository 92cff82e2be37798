import {
  ConversionError,
  convert,
  isKnown,
  isNull,
  NO_MARKS,
  object,
  STRING,
  textOf,
  tuple,
  UNKNOWN,
  type Value,
  withMarks,
} from "../values";
import type { Evaluation } from "./evaluation";
import type { Node, ObjectConstructor, Tuple } from "./syntax";

export const evaluateTuple = (node: Tuple, evaluation: Evaluation): Value =>
  tuple(node.elements.map((element) => evaluation.value(element)));

/** An object with an unknown key is unknown: its type depends on the key. */
export function evaluateObject(node: ObjectConstructor, evaluation: Evaluation): Value {
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
