import { ConversionError } from "./conversion-error";
import type { Conversion, FindConversion } from "./conversion-type";
import { type CollectionType, type ObjectType, type TupleType, typesEqual, withoutOptional } from "./types";
import { elementsOf, entriesOf, nullOf, objectOfType, tuple, type Value } from "./value";

export function objectToObject(
  from: ObjectType,
  to: ObjectType,
  unsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  const conversions = new Map<string, Conversion | null>();
  for (const [name, wanted] of to.attributes) {
    const given = from.attributes.get(name);
    if (given === undefined) {
      if (!to.optional.has(name)) return undefined;
      continue;
    }
    const conversion = typesEqual(given, wanted) ? null : find(given, wanted, unsafe);
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
    const conversion = typesEqual(from.element, wanted) ? null : find(from.element, wanted, true);
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
    const given = entriesOf(value);
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
  unsafe: boolean,
  find: FindConversion,
): Conversion | undefined {
  if (from.elements.length !== to.elements.length) return undefined;
  const conversions: (Conversion | null)[] = [];
  for (const [index, wanted] of to.elements.entries()) {
    const given = from.elements[index]!;
    const conversion = typesEqual(given, wanted) ? null : find(given, wanted, unsafe);
    if (conversion === undefined) return undefined;
    conversions.push(conversion);
  }
  return (value, path) =>
    tuple(elementsOf(value).map((one, index) => conversions[index]?.(one, [...path, index]) ?? one));
}
