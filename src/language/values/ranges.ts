import { NOT_NULL, Refinement, UNREFINED } from "./refinement";
import type { Value } from "./value";

/**
 * Returns the refinements of a known or unknown value. For a known value, the refinements follow from the value. For example, the
 * prefix of a string is the whole string.
 */
export function rangeOf(value: Value): Refinement {
  if (value.content === null) return UNREFINED;
  if (!value.isKnown) return value.refinement;
  switch (value.type.kind) {
    case "string":
      return new Refinement(true, value.text);
    case "number":
      return new Refinement(true, "", value.num, value.num);
    case "list":
    case "set":
    case "map": {
      const [least, most] = lengthRange(value);
      return new Refinement(true, "", -Infinity, Infinity, least, most);
    }
    default:
      return NOT_NULL;
  }
}

/**
 * Returns whether the number of elements of a known value is certain. Returns false for a set with unknown elements, because two
 * of these elements can become equal.
 */
export const isLengthCertain = (value: Value): boolean =>
  value.type.kind !== "set" || !value.hasUnknown || value.elements.length <= 1;

/**
 * Returns the minimum and the maximum number of elements or attributes in a value. Minimum and maximum differ for an unknown
 * value. For a set with unknown elements, minimum and maximum also differ, because two of these elements can become equal.
 */
export function lengthRange(value: Value): [number, number] {
  const { type } = value;
  if (type.kind === "tuple") return [type.elements.length, type.elements.length];
  if (type.kind === "object") return [type.attributes.size, type.attributes.size];
  if (!value.isKnown) {
    const { minLength, maxLength } = value.refinement;
    return [minLength, maxLength];
  }
  const { length } = value.elements;
  return isLengthCertain(value) ? [length, length] : [1, length];
}
