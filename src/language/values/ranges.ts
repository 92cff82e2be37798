import { NOT_NULL, Refinement, UNREFINED } from "./refinement";
import { elementsOf, isKnown, numOf, refinementOf, textOf, type Value } from "./value";

/** The refinements of any value: a known string is its own prefix. */
export function rangeOf(value: Value): Refinement {
  if (value.content === null) return UNREFINED;
  if (!isKnown(value)) return refinementOf(value);
  switch (value.type.kind) {
    case "string":
      return new Refinement(true, textOf(value));
    case "number":
      return new Refinement(true, "", numOf(value), numOf(value));
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
 * The minimum and maximum number of elements. Unknown elements of a set may turn out equal, so that its
 * length is uncertain.
 */
export function lengthRange(value: Value): [number, number] {
  if (!isKnown(value)) {
    const { minLength, maxLength } = refinementOf(value);
    return [minLength, maxLength];
  }
  const length = elementsOf(value).length;
  const certain = value.type.kind !== "set" || length <= 1 || !value.containsUnknown;
  return certain ? [length, length] : [1, length];
}
