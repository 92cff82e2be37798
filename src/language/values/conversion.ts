import type { AttributePath } from "../../diagnostics";
import { type Conversion, ConversionError, convertibleBy, type FindConversion } from "./conversion-type";
import { formatNum, parseNum } from "./number-text";
import { lengthRange } from "./ranges";
import { conversionToCollection, mapToObject, objectToObject, tupleToTuple } from "./structural-conversion";
import {
  isCollection,
  isPrimitive,
  isSameType,
  type ObjectType,
  objectOf,
  type TupleType,
  type Type,
  tupleOf,
  typeName,
  withoutOptional,
} from "./types";
import { unifyTypes } from "./unify";
import { refine } from "./unknowns";
import { bool, nullOf, number, string, unknown, type Value } from "./value";

/**
 * Replaces each dynamic part of the wanted type by the given one: the type that null and unknown convert to.
 */
function resolveDynamic(given: Type | undefined, wanted: Type, find: FindConversion): Type {
  if (given === undefined || given.kind === "dynamic") return wanted;
  if (wanted.kind === "dynamic") return given;
  if (isCollection(wanted)) {
    const parts = partsOf(given, wanted.kind === "map");
    if (parts === undefined) return wanted;
    const element = isCollection(given) ? given.element : unifyTypes(parts, convertibleBy(find, true));
    return { kind: wanted.kind, element: resolveDynamic(element, wanted.element, find) };
  }
  if (wanted.kind === "object") return resolveAttributes(given, wanted, find);
  return wanted.kind === "tuple" && given.kind === "tuple" ? resolveElements(given, wanted, find) : wanted;
}

function partsOf(given: Type, isMap: boolean): readonly Type[] | undefined {
  switch (given.kind) {
    case "map":
      return isMap ? [given.element] : undefined;
    case "object":
      return isMap ? [...given.attributes.values()] : undefined;
    case "list":
    case "set":
      return isMap ? undefined : [given.element];
    case "tuple":
      return isMap ? undefined : given.elements;
    default:
      return undefined;
  }
}

function resolveAttributes(given: Type, wanted: ObjectType, find: FindConversion): Type {
  const of = (name: string): Type | undefined =>
    given.kind === "map" ? given.element : given.kind === "object" ? given.attributes.get(name) : undefined;
  return objectOf(
    new Map([...wanted.attributes].map(([name, type]) => [name, resolveDynamic(of(name), type, find)])),
  );
}

const resolveElements = (given: TupleType, wanted: TupleType, find: FindConversion): Type =>
  tupleOf(wanted.elements.map((type, index) => resolveDynamic(given.elements[index], type, find)));

const known = { safe: new WeakMap<Type, Known>(), unsafe: new WeakMap<Type, Known>() };
type Known = WeakMap<Type, Conversion | false>;

/**
 * The conversion between two types, or undefined. A safe conversion can't fail; an unsafe one may, as for a
 * text that is no number. Cached by type.
 */
export function conversionFor(from: Type, to: Type, isUnsafe: boolean): Conversion | undefined {
  const cache = isUnsafe ? known.unsafe : known.safe;
  let conversions = cache.get(from);
  if (conversions === undefined) {
    conversions = new WeakMap();
    cache.set(from, conversions);
  }
  let conversion = conversions.get(to);
  if (conversion === undefined) {
    conversion = findConversion(from, to, isUnsafe) ?? false;
    conversions.set(to, conversion);
  }
  return conversion === false ? undefined : conversion;
}

function findConversion(from: Type, to: Type, isUnsafe: boolean): Conversion | undefined {
  const convertKnown = conversionOfKnown(from, to, isUnsafe);
  if (convertKnown === undefined) return undefined;
  const convertOne: Conversion = (value, path) => {
    if (value.marks) return convertOne(value.unmark(), path).withMarks(value.marks);
    if (to.kind === "dynamic") return value;
    if (!value.isKnown)
      return unknownResult(value, resolveDynamic(value.type, withoutOptional(to), conversionFor));
    if (value.isNull) return nullOf(resolveDynamic(value.type, withoutOptional(to), conversionFor));
    return convertKnown(value, path);
  };
  return convertOne;
}

function unknownResult(value: Value, type: Type): Value {
  const result = refine(unknown(type), { isNotNull: value.isNotNull });
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

function conversionOfKnown(from: Type, to: Type, isUnsafe: boolean): Conversion | undefined {
  if (to.kind === "dynamic") return (value) => value;
  if (from.kind === "dynamic") return isUnsafe ? (value, path) => convertDynamic(value, to, path) : undefined;
  if (isPrimitive(from) && isPrimitive(to)) return primitiveConversion(from.kind, to.kind, isUnsafe);
  if (isCollection(to)) return conversionToCollection(from, to, isUnsafe, conversionFor);
  if (to.kind === "object" && from.kind === "object")
    return objectToObject(from, to, isUnsafe, conversionFor);
  if (to.kind === "object" && from.kind === "map")
    return isUnsafe ? mapToObject(from, to, conversionFor) : undefined;
  return to.kind === "tuple" && from.kind === "tuple"
    ? tupleToTuple(from, to, isUnsafe, conversionFor)
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
  isUnsafe: boolean,
): Conversion | undefined {
  if (from === to) return (value) => value;
  if (to === "string") {
    return from === "number"
      ? (value) => string(formatNum(value.num))
      : (value) => string(String(value.isTrue));
  }
  if (from !== "string" || !isUnsafe) return undefined;
  return to === "number" ? textToNumber : textToBool;
}

function textToNumber(value: Value, path: AttributePath): Value {
  const parsed = parseNum(value.text);
  if (parsed === undefined) throw new ConversionError("a number is required", path);
  return number(parsed);
}

function textToBool(value: Value, path: AttributePath): Value {
  const text = value.text;
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
export const unify = (types: readonly Type[], isUnsafe = true): Type | undefined =>
  unifyTypes(types, convertibleBy(conversionFor, isUnsafe));

/** Why a type can never be converted to another one: a phrase about the first mismatch. */
function mismatch(given: Type, wanted: Type): string {
  if (given.kind === "object" && wanted.kind === "object") return objectMismatch(given, wanted);
  if (!isCollection(wanted)) return required(wanted);
  if (given.kind === "tuple" || given.kind === "object") {
    const isSameShape = wanted.kind === "map" ? given.kind === "object" : given.kind === "tuple";
    if (!isSameShape) return required(wanted);
    if (wanted.element.kind === "dynamic") return `all ${wanted.kind} elements must have the same type`;
    return (
      partMismatch(given, wanted.element) ?? `all elements must be ${typeName(wanted.element, "constraint")}`
    );
  }
  if (isCollection(given) && (given.kind === "map") === (wanted.kind === "map")) {
    return `incorrect ${wanted.kind} element type: ${mismatch(given.element, wanted.element)}`;
  }
  return required(wanted);
}

const required = (wanted: Type): string => `${typeName(wanted, "constraint")} required`;

const isConvertible = convertibleBy(conversionFor, true);

function partMismatch(given: Type, wanted: Type): string | undefined {
  const parts: [string, Type][] =
    given.kind === "tuple"
      ? given.elements.map((type, index) => [String(index), type])
      : [...(given as ObjectType).attributes].map(([name, type]) => [JSON.stringify(name), type]);
  const wrong = parts.find(([, type]) => !isConvertible(type, wanted));
  return wrong && `element ${wrong[0]}: ${mismatch(wrong[1], wanted)}`;
}

function objectMismatch(given: ObjectType, wanted: ObjectType): string {
  const missing = [...wanted.attributes.keys()].filter(
    (name) => !given.attributes.has(name) && !wanted.optional.has(name),
  );
  if (missing.length > 0) return missingAttributes(missing);
  for (const [name, type] of wanted.attributes) {
    const own = given.attributes.get(name);
    if (own !== undefined && !isConvertible(own, type)) return `attribute "${name}": ${mismatch(own, type)}`;
  }
  return "incorrect object attributes";
}

function missingAttributes(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  if (quoted.length === 1) return `attribute ${quoted[0]} is required`;
  const last = quoted.pop()!;
  return `attributes ${quoted.join(", ")}${quoted.length > 1 ? "," : ""} and ${last} are required`;
}

/**
 * Converts a value to a type with Terraform's rules: numbers and text, tuples to lists and sets, objects to
 * maps; attributes that an object type does not have are dropped, omitted optional ones become null.
 * @throws ConversionError
 */
export function convert(value: Value, type: Type): Value {
  if (value.type === type || isSameType(value.type, type)) return value;
  const conversion = conversionFor(value.type, type, true);
  if (conversion === undefined) throw new ConversionError(mismatch(value.type, type));
  return conversion(value.unmark(), []).withMarks(value.marks);
}
