import { JsonNumber } from "../json";
import { type Attribute, type Attributes, type AttributeType, attributeEntries } from "./attribute";
import { memoize } from "./collections";
import { canonicalJson, isObject, type Value, type ValueObject } from "./value";

/**
 * A key that is equal for equal values of a type without parts: a primitive, a reference, or a value without
 * a schema.
 */
export type LeafKey = (value: Value, type: AttributeType | undefined) => string;

/** The type of a collection's elements; nested attributes become a single object. */
export const elementType = (type: AttributeType | undefined): AttributeType | undefined =>
  type && elementTypeOf(type);

const elementTypeOf = memoize((type: AttributeType): AttributeType | undefined => {
  if ("nested" in type) return { kind: "single", nested: type.nested };
  return "element" in type ? type.element : undefined;
});

/**
 * A key that is equal for semantically equal values of a type: sets in any order, an absent attribute like
 * null.
 */
export function semanticKey(
  value: Value,
  type: AttributeType | undefined,
  leaf: LeafKey = canonicalJson,
): string {
  if (value === null || type === undefined) return canonicalJson(value);
  if (Array.isArray(value)) {
    const elementSchema = elementType(type);
    const elements = value.map((one: Value) => semanticKey(one, elementSchema, leaf));
    return `[${(type.kind === "set" ? elements.sort() : elements).join(",")}]`;
  }
  if (!("nested" in type) || !isObject(value)) return leaf(value, type);
  const fields = Object.entries(value)
    .filter(([, one]) => one !== null)
    .map(([name, one]) => `${JSON.stringify(name)}:${semanticKey(one, type.nested[name]?.type, leaf)}`);
  return `{${fields.sort().join(",")}}`;
}

/**
 * Whether two values are equal, ignoring the order of object keys, and with a type the order of set elements.
 * Unknown values equal no known ones.
 */
export const sameValue = (one: Value, other: Value, type?: AttributeType): boolean =>
  isSameText(one, other) ||
  (type !== undefined &&
    typeof one === "object" &&
    typeof other === "object" &&
    Array.isArray(one) === Array.isArray(other) &&
    semanticKey(one, type) === semanticKey(other, type));

function isSameText(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  if (Array.isArray(one) && Array.isArray(other))
    return (
      one.length === other.length && one.every((element: Value, index) => isSameText(element, other[index]))
    );
  if (one instanceof JsonNumber && other instanceof JsonNumber) return String(one) === String(other);
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isSameText(one[name]!, other[name]!))
  );
}

/** A changed attribute; a missing value is null. */
export interface AttributeDifference<T = Value> {
  readonly name: string;
  readonly attribute: Attribute;
  readonly before: T;
  readonly after: T;
}

/** The changed attributes of two objects, in the schema's order. */
export const differences = (
  attributes: Attributes,
  before: ValueObject,
  after: ValueObject,
): AttributeDifference[] =>
  differencesBy(attributes, before, after, (one, other, { type }) => sameValue(one, other, type));

/** Whether two objects are equal in all attributes. */
export const isSameObject = (attributes: Attributes, one: ValueObject, other: ValueObject): boolean =>
  one === other ||
  attributeEntries(attributes).every(([name, { type }]) =>
    sameValue(one[name] ?? null, other[name] ?? null, type),
  );

/** Returns the differences by another equality, for values that are not plain data. */
export const differencesBy = <T>(
  attributes: Attributes,
  before: { readonly [name: string]: T },
  after: { readonly [name: string]: T },
  isEqual: (one: T | null, other: T | null, attribute: Attribute) => boolean,
): AttributeDifference<T | null>[] =>
  attributeEntries(attributes).flatMap(([name, attribute]) => {
    const [one, other] = [before[name] ?? null, after[name] ?? null];
    return isEqual(one, other, attribute) ? [] : [{ name, attribute, before: one, after: other }];
  });

/**
 * The elements that are not in the other collection, with their positions; `keyOf` returns equal keys for
 * equal elements.
 */
export function addedElements<T>(
  elements: readonly T[],
  others: readonly T[],
  keyOf: (element: T) => string,
): { readonly index: number; readonly element: T }[] {
  const known = new Set(others.map(keyOf));
  return elements.flatMap((element, index) => (known.has(keyOf(element)) ? [] : [{ index, element }]));
}

/**
 * Presences that declare nothing if the attribute is omitted; `optional` then declares that the service has
 * no value.
 */
const UNMANAGED_IF_OMITTED: ReadonlySet<Attribute["presence"]> = new Set(["optionalComputed", "managed"]);

/** Whether a configuration with this value declares anything about the live attribute. */
export const isDeclared = ({ presence }: Attribute, value: unknown): boolean =>
  presence !== "computed" &&
  presence !== "configOnly" &&
  ((value ?? null) !== null || !UNMANAGED_IF_OMITTED.has(presence));
