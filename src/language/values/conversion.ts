import type { AttributePath } from "../../diagnostics";
import { conversionToCollection } from "./collection-conversion";
import { ConversionError } from "./conversion-error";
import type { Conversion } from "./conversion-type";
import { resolveDynamic } from "./dynamic-types";
import { formatNum, parseNum } from "./number-text";
import { lengthRange } from "./ranges";
import { mapToObject, objectToObject, tupleToTuple } from "./structural-conversion";
import { isCollection, isPrimitive, type Type, withoutOptional } from "./types";
import { unifyTypes } from "./unify";
import { refine } from "./unknowns";
import {
  bool,
  isKnown,
  isNotNull,
  isNull,
  nullOf,
  number,
  numOf,
  string,
  textOf,
  truthOf,
  unknown,
  unmark,
  type Value,
  withMarks,
} from "./value";

const known = { safe: new WeakMap<Type, Known>(), unsafe: new WeakMap<Type, Known>() };
type Known = WeakMap<Type, Conversion | false>;

/**
 * The conversion between two types, or undefined. A safe conversion can't fail; an unsafe one may, as for a
 * text that is no number. Cached by type.
 */
export function conversionFor(from: Type, to: Type, unsafe: boolean): Conversion | undefined {
  const cache = unsafe ? known.unsafe : known.safe;
  let conversions = cache.get(from);
  if (conversions === undefined) {
    conversions = new WeakMap();
    cache.set(from, conversions);
  }
  let conversion = conversions.get(to);
  if (conversion === undefined) {
    conversion = findConversion(from, to, unsafe) ?? false;
    conversions.set(to, conversion);
  }
  return conversion === false ? undefined : conversion;
}

function findConversion(from: Type, to: Type, unsafe: boolean): Conversion | undefined {
  const convertKnown = conversionOfKnown(from, to, unsafe);
  if (convertKnown === undefined) return undefined;
  const convertOne: Conversion = (value, path) => {
    if (value.marks) return withMarks(convertOne(unmark(value), path), value.marks);
    if (to.kind === "dynamic") return value;
    if (!isKnown(value))
      return unknownResult(value, resolveDynamic(value.type, withoutOptional(to), conversionFor));
    if (isNull(value)) return nullOf(resolveDynamic(value.type, withoutOptional(to), conversionFor));
    return convertKnown(value, path);
  };
  return convertOne;
}

function unknownResult(value: Value, type: Type): Value {
  const result = refine(unknown(type), { notNull: isNotNull(value) });
  const length = lengthOfUnknown(value, type);
  return length === undefined ? result : refine(result, { minLength: length[0], maxLength: length[1] });
}

function lengthOfUnknown(value: Value, type: Type): [number, number] | undefined {
  const from = value.type;
  if (from.kind === "object" && type.kind === "map") return [from.attributes.size, from.attributes.size];
  if (from.kind === "tuple" && (type.kind === "list" || type.kind === "set")) {
    const length = from.elements.length;
    return [type.kind === "set" ? Math.min(length, 1) : length, length];
  }
  if (!isCollection(from) || !isCollection(type)) return undefined;
  const [least, most] = lengthRange(value);
  return [type.kind === "set" ? Math.min(least, 1) : least, most];
}

function conversionOfKnown(from: Type, to: Type, unsafe: boolean): Conversion | undefined {
  if (to.kind === "dynamic") return (value) => value;
  if (from.kind === "dynamic") return unsafe ? (value, path) => convertDynamic(value, to, path) : undefined;
  if (isPrimitive(from) && isPrimitive(to)) return primitiveConversion(from.kind, to.kind, unsafe);
  if (isCollection(to)) return conversionToCollection(from, to, unsafe, conversionFor);
  if (to.kind === "object" && from.kind === "object") return objectToObject(from, to, unsafe, conversionFor);
  if (to.kind === "object" && from.kind === "map")
    return unsafe ? mapToObject(from, to, conversionFor) : undefined;
  return to.kind === "tuple" && from.kind === "tuple"
    ? tupleToTuple(from, to, unsafe, conversionFor)
    : undefined;
}

/** Only null and unknown are dynamic, and their type is resolved before. */
function convertDynamic(value: Value, to: Type, path: AttributePath): Value {
  throw new ConversionError(`cannot convert ${value.type.kind} to ${to.kind}`, path);
}

type PrimitiveKind = "string" | "number" | "bool";

function primitiveConversion(
  from: PrimitiveKind,
  to: PrimitiveKind,
  unsafe: boolean,
): Conversion | undefined {
  if (from === to) return (value) => value;
  if (to === "string") {
    return from === "number"
      ? (value) => string(formatNum(numOf(value)))
      : (value) => string(String(truthOf(value)));
  }
  if (from !== "string" || !unsafe) return undefined;
  return to === "number" ? textToNumber : textToBool;
}

function textToNumber(value: Value, path: AttributePath): Value {
  const parsed = parseNum(textOf(value));
  if (parsed === undefined) throw new ConversionError("a number is required", path);
  return number(parsed);
}

function textToBool(value: Value, path: AttributePath): Value {
  const text = textOf(value);
  if (text === "true" || text === "1") return bool(true);
  if (text === "false" || text === "0") return bool(false);
  const lower = text.toLowerCase();
  const hint =
    lower === "true" || lower === "false" ? `; to convert from string, use lowercase "${lower}"` : "";
  throw new ConversionError(`a bool is required${hint}`, path);
}

/**
 * The common type that values of all these types can be converted to, or undefined. Safe unification uses
 * only conversions that can't fail.
 */
export const unify = (types: readonly Type[], unsafe = true): Type | undefined =>
  unifyTypes(types, unsafe, conversionFor);
