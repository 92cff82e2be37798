import {
  countNum,
  isKnown,
  lengthRange,
  NUMBER,
  number,
  refine,
  refinementOf,
  textOf,
  typeName,
  unknown,
  type Value,
  withMarks,
} from "../../values";
import { FunctionError } from "./function";
import { graphemes } from "./graphemes";

/** The number of characters of a text or of elements of anything else; what is known of it when it is not known. */
export function lengthOf(given: Value): Value {
  const { type } = given;
  switch (type.kind) {
    case "tuple":
      return count(type.elements.length, given);
    case "object":
      return count(type.attributes.size, given);
    case "dynamic":
      return withMarks(unknown(NUMBER), given.marks);
    case "string":
      return withMarks(textLength(given), given.marks);
    case "list":
    case "set":
    case "map": {
      const [min, max] = lengthRange(given);
      if (min === max) return count(min, given);
      const range = Number.isFinite(max)
        ? { min: countNum(min), max: countNum(max) }
        : { min: countNum(min) };
      return withMarks(refine(unknown(NUMBER), { ...range, notNull: true }), given.marks);
    }
    default:
      throw new FunctionError(`a text, a collection or an object is required, not ${typeName(type)}`, 0);
  }
}

const count = (length: number, given: Value): Value => withMarks(number(countNum(length)), given.marks);

function textLength(given: Value): Value {
  if (isKnown(given)) return number(countNum(graphemes(textOf(given)).length));
  const min = countNum(graphemes(refinementOf(given).prefix).length);
  return refine(unknown(NUMBER), { notNull: true, min });
}
