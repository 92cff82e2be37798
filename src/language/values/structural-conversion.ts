import type { AttributePath, PathStep } from "../../diagnostics";
import { type Conversion, ConversionError, convertibleBy, type FindConversion } from "./conversion-type";
import { isLengthCertain } from "./ranges";
import { set } from "./sets";
import {
  type CollectionType,
  isCollection,
  isSameType,
  listOf,
  type ObjectType,
  type TupleType,
  type Type,
  withoutOptional,
} from "./types";
import { unifyTypes } from "./unify";
import { list, map, nullOf, objectOfType, tuple, unknown, type Value } from "./value";

export function objectToObject(
  from: ObjectType,
  to: ObjectType,
  isUnsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  const conversions = new Map<string, Conversion | null>();
  for (const [name, wanted] of to.attributes) {
    const given = from.attributes.get(name);
    if (given === undefined) {
      if (!to.optional.has(name)) return undefined;
      continue;
    }
    const conversion = isSameType(given, wanted) ? null : find(given, wanted, isUnsafe);
    if (conversion === undefined) return undefined;
    conversions.set(name, conversion);
  }
  return toAttributes(to, conversions);
}

export function mapToObject(
  from: CollectionType,
  to: ObjectType,
  find: FindConversion,
): Conversion | undefined {
  const conversions = new Map<string, Conversion | null | undefined>();
  for (const [name, wanted] of to.attributes) {
    const conversion = isSameType(from.element, wanted) ? null : find(from.element, wanted, true);
    if (conversion === undefined && !to.optional.has(name)) return undefined;
    conversions.set(name, conversion);
  }
  return toAttributes(to, conversions);
}

/** Converts the entries of a value by name; an optional attribute without an entry is null. */
function toAttributes(
  to: ObjectType,
  conversions: ReadonlyMap<string, Conversion | null | undefined>,
): Conversion {
  const plain = withoutOptional(to) as ObjectType;
  return (value, path) => {
    const given = value.entries;
    const attributes = new Map<string, Value>();
    for (const [name, wanted] of to.attributes) {
      const one = given.get(name);
      const conversion = conversions.get(name);
      if (one === undefined) {
        if (!to.optional.has(name)) {
          throw new ConversionError(`map has no element for required attribute "${name}"`, path);
        }
        attributes.set(name, nullOf(wanted));
      } else if (conversion === undefined) {
        throw new ConversionError(`map element type is incompatible with attribute "${name}"`, path);
      } else attributes.set(name, conversion === null ? one : conversion(one, [...path, name]));
    }
    return objectOfType(plain, attributes);
  };
}

export function tupleToTuple(
  from: TupleType,
  to: TupleType,
  isUnsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  if (from.elements.length !== to.elements.length) return undefined;
  const conversions: (Conversion | null)[] = [];
  for (const [index, wanted] of to.elements.entries()) {
    const given = from.elements[index]!;
    const conversion = isSameType(given, wanted) ? null : find(given, wanted, isUnsafe);
    if (conversion === undefined) return undefined;
    conversions.push(conversion);
  }
  return (value, path) =>
    tuple(value.elements.map((one, index) => conversions[index]?.(one, [...path, index]) ?? one));
}

/** The conversion from a collection, tuple or object to a list, set or map. */
export function conversionToCollection(
  from: Type,
  to: CollectionType,
  isUnsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  if (to.kind === "map") {
    if (from.kind === "map") return fromCollection(from, to, isUnsafe, find);
    return from.kind === "object" ? fromParts(from.attributes, to, isUnsafe, find) : undefined;
  }
  if (from.kind === "tuple") return fromParts(new Map(from.elements.entries()), to, isUnsafe, find);
  if (from.kind !== "list" && from.kind !== "set") return undefined;
  // Duplicate elements would be lost, so list to set is no safe conversion.
  if (to.kind === "set" && from.kind === "list" && !isUnsafe) return undefined;
  return fromCollection(from, to, isUnsafe, find);
}

function fromCollection(
  from: CollectionType,
  to: CollectionType,
  isUnsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  const isSame = isSameType(from.element, to.element);
  const conversion = isSame ? null : find(from.element, to.element, isUnsafe);
  if (conversion === undefined) return undefined;
  const element = to.element.kind === "dynamic" ? from.element : withoutOptional(to.element);
  return (value, path) => {
    if (to.kind === "list" && !isLengthCertain(value)) return unknown(listOf(element));
    const steps = stepsOf(value);
    const converted = value.elements.map((one, index) => conversion?.(one, [...path, steps[index]!]) ?? one);
    return build(to, value, converted, element, path, find);
  };
}

/** From a tuple or object, whose elements have their own types. */
function fromParts(
  parts: ReadonlyMap<PathStep, Type>,
  to: CollectionType,
  isUnsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  const types = [...parts.values()];
  const element =
    to.element.kind === "dynamic" && types.length > 0
      ? unifyTypes(types, convertibleBy(find, isUnsafe))
      : to.element;
  if (element === undefined) return undefined;
  const isUndecided = element.kind === "dynamic" && to.kind !== "map";
  if (isUndecided && types.some((type) => type.kind !== "dynamic")) return undefined;
  const conversions: (Conversion | null)[] = [];
  for (const type of types) {
    const conversion = isSameType(type, element) ? null : find(type, element, isUnsafe);
    if (conversion === undefined) return undefined;
    conversions.push(conversion);
  }
  const plain = withoutOptional(element);
  return (value, path) => {
    const steps = stepsOf(value);
    const converted = value.elements.map(
      (one, index) => conversions[index]?.(one, [...path, steps[index]!]) ?? one,
    );
    return build(to, value, converted, plain, path, find);
  };
}

const stepsOf = (value: Value): readonly PathStep[] =>
  value.content instanceof Map ? [...value.entries.keys()] : [...value.elements.keys()];

function build(
  to: CollectionType,
  from: Value,
  elements: readonly Value[],
  element: Type,
  path: AttributePath,
  find: FindConversion,
): Value {
  if (to.kind === "set") {
    requireSameType(elements, to, path);
    return set(elements, element);
  }
  const isNested = isCollection(element) || element.kind === "object" || element.kind === "dynamic";
  const unified = isNested ? unifyElements(elements, stepsOf(from), path, find) : elements;
  requireSameType(unified, to, path);
  const type = unified[0]?.type ?? element;
  if (to.kind === "list") return list(unified, type);
  return map(new Map([...from.entries.keys()].map((key, index) => [key, unified[index]!])), type);
}

/** Elements converted to a type with dynamic parts may still differ in type. */
function unifyElements(
  elements: readonly Value[],
  steps: readonly PathStep[],
  path: AttributePath,
  find: FindConversion,
): readonly Value[] {
  if (elements.length < 2) return elements;
  const types = elements.map((one) => one.type);
  const unified = unifyTypes(types, convertibleBy(find, true));
  if (unified === undefined)
    throw new ConversionError("cannot find a common base type for all elements", path);
  return elements.map((one, index) => {
    if (isSameType(one.type, unified)) return one;
    return find(one.type, unified, true)?.(one, [...path, steps[index]!]) ?? one;
  });
}

function requireSameType(elements: readonly Value[], to: CollectionType, path: AttributePath): void {
  const known = elements.map((one) => one.type).filter((type) => type.kind !== "dynamic");
  if (known.every((type) => isSameType(type, known[0]!))) return;
  throw new ConversionError(`element types must all match for conversion to ${to.kind}`, path);
}
