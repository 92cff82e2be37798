import { NOT_NULL, Refinement, UNREFINED } from "./refinement";
import type { Value } from "./value";

/** The refinements of any value: a known string is its own prefix. */
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

/** Whether it is certain how many elements a known value has: unknown elements of a set may turn out equal. */
export const isLengthCertain = (value: Value): boolean =>
  value.type.kind !== "set" || !value.hasUnknown || value.elements.length <= 1;

/**
 * The minimum and maximum number of elements or attributes. Unknown elements of a set may turn out equal, so that its
 * length is uncertain.
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
