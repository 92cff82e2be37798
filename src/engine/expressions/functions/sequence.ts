import { list, type Type, tuple, type Value } from "../../values";

/** A list or a tuple of these elements, as the type says. */
export const sequence = (elements: readonly Value[], type: Type): Value =>
  type.kind === "list" ? list(elements, type.element) : tuple(elements);
