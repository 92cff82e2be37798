import { mapContent } from "./marks";
import { compareNum } from "./number";
import { rangeOf } from "./ranges";
import { NOT_NULL, Refinement, safePrefix } from "./refinement";
import { set } from "./sets";
import { type CollectionType, isCollection, type Type } from "./types";
import { list, map, nullOf, number, unknown, Value } from "./value";

/** The refinements to add to an unknown value. */
export type RefinementUpdate = Partial<Refinement>;

/**
 * Returns a value with additional refinements. Returns a known value unchanged. An unknown value becomes known if only one value
 * is possible, such as a number whose minimum and maximum are 3.
 */
export function refine(value: Value, knowledge: RefinementUpdate): Value {
  if (value.isKnown || value.type.kind === "dynamic") return value;
  const old = value.refinement;
  const { min = old.min, max = old.max, minLength = 0, maxLength = Infinity } = knowledge;
  const prefix = knowledge.prefix === undefined ? "" : safePrefix(knowledge.prefix);
  const merged = new Refinement(
    old.isNotNull || knowledge.isNotNull === true,
    prefix.length > old.prefix.length ? prefix : old.prefix,
    compareNum(min, old.min) > 0 ? min : old.min,
    compareNum(max, old.max) < 0 ? max : old.max,
    Math.max(old.minLength, minLength),
    Math.min(old.maxLength, maxLength),
  );
  const settled = merged.isNotNull ? onlyChoice(value.type, merged) : undefined;
  return new Value(value.type, settled?.content ?? merged, value.marks);
}

function onlyChoice(type: Type, known: Refinement): Value | undefined {
  if (type.kind === "number") return compareNum(known.min, known.max) === 0 ? number(known.min) : undefined;
  if (!isCollection(type) || known.minLength !== known.maxLength) return undefined;
  const length = known.minLength;
  if (length === 0) return emptyOf(type);
  if (type.kind === "list") return list(new Array<Value>(length).fill(unknown(type.element)));
  return type.kind === "set" && length === 1 ? set([unknown(type.element)]) : undefined;
}

/** Returns the empty value of a collection type: a list, set or map. */
function emptyOf(type: CollectionType): Value {
  if (type.kind === "list") return list([], type.element);
  return type.kind === "set" ? set([], type.element) : map({}, type.element);
}

/** Returns a value in which null replaces all unknown parts, because a state can't contain unknown values. */
export function unknownAsNull(value: Value): Value {
  if (!value.isKnown) return nullOf(value.type);
  if (!value.hasUnknown) return value;
  const { type, content, marks } = value;
  const known = mapContent(content, unknownAsNull);
  return type.kind === "set" ? set(known as Value[], type.element) : new Value(type, known, marks);
}

export const unknownNotNull = (type: Type): Value =>
  type.kind === "dynamic" ? unknown(type) : new Value(type, NOT_NULL);

/** Returns the refinements that are true for both values. A conditional with an unknown condition has these refinements. */
export function unionOf(left: Value, right: Value): RefinementUpdate {
  const isNotNull = left.isNotNull && right.isNotNull;
  const [a, b] = [rangeOf(left), rangeOf(right)];
  if (left.type.kind === "number" && right.type.kind === "number") {
    return {
      isNotNull,
      min: compareNum(a.min, b.min) < 0 ? a.min : b.min,
      max: compareNum(a.max, b.max) > 0 ? a.max : b.max,
    };
  }
  return {
    isNotNull,
    minLength: Math.min(a.minLength, b.minLength),
    maxLength: Math.max(a.maxLength, b.maxLength),
  };
}
