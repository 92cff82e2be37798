import { elementsOf, list, type Type, tuple, type Value } from "../../values";

/** A list or a tuple of these elements, as the type says. */
export const sequence = (elements: readonly Value[], type: Type): Value =>
  type.kind === "list" ? list(elements, type.element) : tuple(elements);

export const isSequence = (type: Type): boolean => ["list", "set", "tuple"].includes(type.kind);

/** Whether it is certain how many elements there are: unknown elements of a set may turn out equal. */
export const isCertain = (given: Value): boolean =>
  given.type.kind !== "set" || !given.containsUnknown || elementsOf(given).length <= 1;
