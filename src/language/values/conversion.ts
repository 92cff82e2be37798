import { type AttributePath, formatPath, type PathStep } from "../../diagnostics";
import { memoize } from "../../schema";
import { formatNum, parseNum } from "./number-text";
import { isLengthCertain, lengthRange } from "./ranges";
import { set } from "./sets";
import {
  type CollectionType,
  isCollection,
  isNamed,
  isPrimitive,
  isSameType,
  listOf,
  type ObjectType,
  objectOf,
  partsOf,
  type TupleType,
  type Type,
  tupleOf,
  typeName,
  withoutOptional,
} from "./types";
import { Unification } from "./unify";
import { refine } from "./unknowns";
import { bool, list, map, nullOf, number, objectOfType, string, tuple, unknown, type Value } from "./value";

/** The error of a conversion, with the reason and the path of the value. */
export class ConversionError extends Error {
  override readonly name = "ConversionError";

  constructor(
    /** A phrase without a full stop, such as "a number is required". */
    readonly reason: string,
    readonly path: AttributePath = [],
  ) {
    super(path.length === 0 ? reason : `${formatPath(path)}: ${reason}`);
  }
}

/** Converts a value. `path` is the path of the value, for errors. */
type Conversion = (value: Value, path: AttributePath) => Value;

const identity: Conversion = (value) => value;

const conversions = memoize((from: Type) => memoize((to: Type) => findConversion(from, to) ?? false));

/**
 * Returns the conversion between two types; undefined if no value can be converted. The conversion can fail for a value, for
 * example for a text that is not a number.
 */
const conversionFor = (from: Type, to: Type): Conversion | undefined => conversions(from)(to) || undefined;

/** Returns whether a conversion between two types is possible for at least some values. */
export const isConvertible = (from: Type, to: Type): boolean => conversionFor(from, to) !== undefined;

const unification = new Unification(isConvertible);

/** Returns a type to which values of all these types can be converted; undefined if there is none. */
export const unify = (types: readonly Type[]): Type | undefined => unification.commonType(types);

/**
 * Returns the type of a null or unknown value after its conversion. The result is the wanted type, in which parts of the given
 * type replace dynamic parts.
 */
function resolveDynamic(given: Type | undefined, wanted: Type): Type {
  if (given === undefined || given.kind === "dynamic") return wanted;
  if (wanted.kind === "dynamic") return given;
  if (isCollection(wanted)) {
    if (isPrimitive(given) || isNamed(given) !== isNamed(wanted)) return wanted;
    const element = isCollection(given) ? given.element : unify(partsOf(given));
    return { kind: wanted.kind, element: resolveDynamic(element, wanted.element) };
  }
  if (wanted.kind === "object") {
    const attributes = [...wanted.attributes].map(
      ([name, type]) => [name, resolveDynamic(attributeType(given, name), type)] as const,
    );
    return objectOf(new Map(attributes));
  }
  return wanted.kind === "tuple" && given.kind === "tuple"
    ? tupleOf(wanted.elements.map((type, index) => resolveDynamic(given.elements[index], type)))
    : wanted;
}

function attributeType(type: Type, name: string): Type | undefined {
  if (type.kind === "map") return type.element;
  return type.kind === "object" ? type.attributes.get(name) : undefined;
}

function findConversion(from: Type, to: Type): Conversion | undefined {
  if (to.kind === "dynamic" || isSameType(from, to)) return identity;
  const convertKnown = conversionOfKnown(from, to);
  if (convertKnown === undefined) return undefined;
  const convertOne: Conversion = (value, path) => {
    if (value.marks) return convertOne(value.unmark(), path).withMarks(value.marks);
    if (value.isKnown && !value.isNull) return convertKnown(value, path);
    const type = resolveDynamic(value.type, withoutOptional(to));
    return value.isNull ? nullOf(type) : unknownOf(value, type);
  };
  return convertOne;
}

function unknownOf(value: Value, type: Type): Value {
  const { isNotNull } = value;
  if (!isCollection(type)) return refine(unknown(type), { isNotNull });
  const [least, maxLength] = lengthRange(value);
  return refine(unknown(type), {
    isNotNull,
    minLength: type.kind === "set" ? Math.min(least, 1) : least,
    maxLength,
  });
}

function conversionOfKnown(from: Type, to: Type): Conversion | undefined {
  // Only null and unknown values have the dynamic type, so no known value comes here.
  if (from.kind === "dynamic") return identity;
  if (isCollection(to)) return toCollection(from, to);
  if (to.kind === "object") return toObject(from, to);
  return to.kind === "tuple" ? toTuple(from, to) : PRIMITIVES[`${from.kind} ${to.kind}`];
}

const PRIMITIVES: Readonly<Record<string, Conversion>> = {
  "number string": (value) => string(formatNum(value.num)),
  "bool string": (value) => string(String(value.isTrue)),
  "string number": (value, path) => {
    const parsed = parseNum(value.text);
    if (parsed === undefined) throw new ConversionError("a number is required", path);
    return number(parsed);
  },
  "string bool": ({ text }, path) => {
    if (text === "true" || text === "1") return bool(true);
    if (text === "false" || text === "0") return bool(false);
    const lower = text.toLowerCase();
    const hint =
      lower === "true" || lower === "false" ? `; to convert from string, use lowercase "${lower}"` : "";
    throw new ConversionError(`a bool is required${hint}`, path);
  },
};

/**
 * Returns the conversion of an object or a map to an object type; undefined if there is none. A missing optional attribute
 * becomes null.
 */
function toObject(from: Type, to: ObjectType): Conversion | undefined {
  if (!isNamed(from)) return undefined;
  const found = new Map<string, Conversion | undefined>();
  for (const [name, wanted] of to.attributes) {
    const given = attributeType(from, name);
    const conversion = given && conversionFor(given, wanted);
    // The type of a map does not contain its keys, so a map can lack the key of an attribute.
    const canBeMissing = to.optional.has(name) && (given === undefined || from.kind === "map");
    if (conversion === undefined && !canBeMissing) return undefined;
    found.set(name, conversion);
  }
  const plain = withoutOptional(to) as ObjectType;
  return (value, path) => {
    const given = value.entries;
    const attributes = new Map<string, Value>();
    for (const [name, wanted] of to.attributes) {
      const one = given.get(name);
      const conversion = found.get(name);
      if (one === undefined) {
        if (!to.optional.has(name))
          throw new ConversionError(`map has no element for required attribute "${name}"`, path);
        attributes.set(name, nullOf(wanted));
      } else if (conversion === undefined) {
        throw new ConversionError(`map element type is incompatible with attribute "${name}"`, path);
      } else attributes.set(name, conversion(one, [...path, name]));
    }
    return objectOfType(plain, attributes);
  };
}

/**
 * Returns the conversions of several types, each to the wanted type at its index; undefined if one of the conversions does not
 * exist.
 */
function conversionsOf(types: readonly Type[], wanted: (index: number) => Type): Conversion[] | undefined {
  const found = types.map((type, index) => conversionFor(type, wanted(index)));
  return found.every((one) => one !== undefined) ? found : undefined;
}

function toTuple(from: Type, to: TupleType): Conversion | undefined {
  if (from.kind !== "tuple" || from.elements.length !== to.elements.length) return undefined;
  const each = conversionsOf(from.elements, (index) => to.elements[index]!);
  return each && ((value, path) => tuple(value.elements.map((one, i) => each[i]!(one, [...path, i]))));
}

/** Returns the conversion of a collection, tuple or object to a list, set or map; undefined if there is none. */
function toCollection(from: Type, to: CollectionType): Conversion | undefined {
  if (isPrimitive(from) || isNamed(from) !== isNamed(to)) return undefined;
  return isCollection(from) ? fromCollection(from, to) : fromParts(partsOf(from), to);
}

function fromCollection(from: CollectionType, to: CollectionType): Conversion | undefined {
  const conversion = conversionFor(from.element, to.element);
  if (conversion === undefined) return undefined;
  const element = to.element.kind === "dynamic" ? from.element : withoutOptional(to.element);
  return (value, path) =>
    to.kind === "list" && !isLengthCertain(value)
      ? unknown(listOf(element))
      : collect(to, element, value, () => conversion, path);
}

/**
 * Returns the conversion of a tuple or object, whose parts can have different types, to a collection; undefined if there is none.
 */
function fromParts(types: readonly Type[], to: CollectionType): Conversion | undefined {
  const element = to.element.kind === "dynamic" && types.length > 0 ? unify(types) : to.element;
  if (element === undefined) return undefined;
  const isUndecided = element.kind === "dynamic" && to.kind !== "map";
  if (isUndecided && types.some((type) => type.kind !== "dynamic")) return undefined;
  const each = conversionsOf(types, () => element);
  const plain = withoutOptional(element);
  return each && ((value, path) => collect(to, plain, value, (index) => each[index]!, path));
}

/** Converts the elements of a value, and returns a list, set or map of the results. */
function collect(
  to: CollectionType,
  element: Type,
  from: Value,
  conversionAt: (index: number) => Conversion,
  path: AttributePath,
): Value {
  const steps: readonly PathStep[] = [...(from.content instanceof Map ? from.entries : from.elements).keys()];
  const at = (index: number): AttributePath => [...path, steps[index]!];
  let elements = from.elements.map((one, index) => conversionAt(index)(one, at(index)));
  // If the wanted type has dynamic parts, the converted elements can still have different types.
  const canDiffer = isCollection(element) || element.kind === "object" || element.kind === "dynamic";
  if (to.kind !== "set" && canDiffer && elements.length > 1) {
    const common = unify(elements.map((one) => one.type));
    if (common === undefined)
      throw new ConversionError("cannot find a common base type for all elements", path);
    elements = elements.map((one, index) => conversionFor(one.type, common)?.(one, at(index)) ?? one);
  }
  const [first, ...others] = elements.map((one) => one.type).filter((type) => type.kind !== "dynamic");
  if (!others.every((type) => isSameType(type, first!)))
    throw new ConversionError(`element types must all match for conversion to ${to.kind}`, path);
  if (to.kind === "set") return set(elements, element);
  const type = elements[0]?.type ?? element;
  if (to.kind === "list") return list(elements, type);
  return map(new Map(steps.map((step, index) => [String(step), elements[index]!])), type);
}

/** Returns the reason why a type can never be converted to another type, as a phrase about the first mismatch. */
function mismatch(given: Type, wanted: Type): string {
  const required = `${typeName(wanted, "constraint")} required`;
  if (given.kind === "object" && wanted.kind === "object") return objectMismatch(given, wanted);
  if (!isCollection(wanted) || isPrimitive(given) || isNamed(given) !== isNamed(wanted)) return required;
  if (isCollection(given))
    return `incorrect ${wanted.kind} element type: ${mismatch(given.element, wanted.element)}`;
  if (wanted.element.kind === "dynamic") return `all ${wanted.kind} elements must have the same type`;
  const names = given.kind === "object" ? [...given.attributes.keys()].map((name) => `"${name}"`) : undefined;
  const parts = partsOf(given);
  const wrong = parts.findIndex((type) => !isConvertible(type, wanted.element));
  if (wrong < 0) return `all elements must be ${typeName(wanted.element, "constraint")}`;
  return `element ${names?.[wrong] ?? wrong}: ${mismatch(parts[wrong]!, wanted.element)}`;
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
 * Returns a value converted to a type by Terraform's rules. For example, numbers can become texts, texts can become numbers,
 * tuples can become lists or sets, and objects can become maps. Attributes that the object type lacks are dropped. Omitted
 * optional attributes become null.
 *
 * @throws ConversionError
 */
export function convert(value: Value, type: Type): Value {
  if (value.type === type) return value;
  const conversion = conversionFor(value.type, type);
  if (conversion === undefined) throw new ConversionError(mismatch(value.type, type));
  return conversion(value, []);
}

/** Converts a value to a type; returns the error of the conversion instead of throwing it. */
export function tryConvert(value: Value, type: Type): Value | ConversionError {
  try {
    return convert(value, type);
  } catch (error) {
    if (error instanceof ConversionError) return error;
    throw error;
  }
}
