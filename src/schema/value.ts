import { JsonNumber } from "../json";
import {
  type Attribute,
  type Attributes,
  type AttributeType,
  attributeEntries,
  isNested,
  type Reference,
  type ReferenceKind,
  Unknown,
  type Value,
  type ValueObject,
} from "./attribute";
import { memoize } from "./helpers";

export const isUnknown = (value: unknown): value is Unknown => value instanceof Unknown;

export const isObject = (value: Value): value is ValueObject =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !isUnknown(value) &&
  !(value instanceof JsonNumber);

/** Returns whether the value contains no unknown part. */
export function isWhollyKnown(value: Value): boolean {
  if (isUnknown(value)) return false;
  if (Array.isArray(value)) return value.every(isWhollyKnown);
  return isObject(value) ? Object.values(value).every(isWhollyKnown) : true;
}

/** Returns the number of values that are set. Returns undefined if an unknown value can still become null. */
export function countGiven(values: readonly Value[]): number | undefined {
  const given = values.filter((value) => value !== null);
  const known = given.filter((value) => !isUnknown(value));
  return known.length < 2 && known.length < given.length ? undefined : given.length;
}

/** Returns whether a text is an id. Any other text is a path. */
export const isNumericId = (text: string): boolean => NUMERIC_ID.test(text);
const NUMERIC_ID = /^[1-9][0-9]*$/;

export const reference = (id: number, path?: string): Reference =>
  path === undefined ? { id } : { id, path };

/**
 * Returns a text that is equal for equal values. The text ignores the order of object keys. An unknown value differs
 * from every known value.
 */
export function canonicalJson(value: Value): string {
  if (isUnknown(value)) return "\u0000unknown";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value instanceof JsonNumber) return String(value);
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name]!)}`);
  return `{${fields.join(",")}}`;
}

/**
 * A function that returns a key that is equal for equal values. The function gets only values that `semanticKey` does
 * not divide: a primitive, a reference, or a value without a schema.
 */
export type LeafKey = (value: Value, type: AttributeType | undefined) => string;

/** Returns the type of a collection's elements. For nested attributes, the result is the type of one object. */
export const elementType = (type: AttributeType | undefined): AttributeType | undefined =>
  type && elementTypeOf(type);

const elementTypeOf = memoize((type: AttributeType): AttributeType | undefined => {
  if ("nested" in type) return { kind: "single", nested: type.nested };
  return "element" in type ? type.element : undefined;
});

/**
 * Returns a key that is equal for semantically equal values of a type. The key ignores the order of sets, and treats a
 * missing attribute as null.
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
 * Returns whether two values are equal. The comparison ignores the order of object keys, and with a type also the order
 * of set elements. An unknown value differs from every known value.
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

/** An attribute whose value differs between two objects. A missing value is null. */
export interface AttributeDifference<T = Value> {
  readonly name: string;
  readonly attribute: Attribute;
  readonly before: T;
  readonly after: T;
}

/** Returns the attributes in which two objects differ, in the order of the schema. */
export const differences = (
  attributes: Attributes,
  before: ValueObject,
  after: ValueObject,
): AttributeDifference[] =>
  differencesBy(attributes, before, after, (one, other, { type }) => sameValue(one, other, type));

/** Returns whether two objects are equal in all attributes. */
export const isSameObject = (attributes: Attributes, one: ValueObject, other: ValueObject): boolean =>
  one === other ||
  attributeEntries(attributes).every(([name, { type }]) =>
    sameValue(one[name] ?? null, other[name] ?? null, type),
  );

/**
 * Returns the attributes in which two objects differ. The caller passes the function that compares two values, because
 * the values may not be plain data.
 */
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
 * Returns the elements that are not in `others`, with their positions. `keyOf` returns equal keys for equal
 * elements.
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
 * The presences of attributes that are not managed if a configuration omits them. An omitted `optional` attribute
 * is managed: it declares that the service has no value.
 */
const UNMANAGED_IF_OMITTED: ReadonlySet<Attribute["presence"]> = new Set(["optionalComputed", "managed"]);

/** Returns whether a configuration with this value of an attribute defines the live value. */
export const isDeclared = ({ presence }: Attribute, value: unknown): boolean =>
  presence !== "computed" &&
  presence !== "configOnly" &&
  ((value ?? null) !== null || !UNMANAGED_IF_OMITTED.has(presence));

/** A function that returns the id of the object to which a text refers; undefined if the id is not known. */
export type IdOf = (kind: ReferenceKind, text: string) => number | undefined;

/**
 * Changes the spelling of references in `values` to the spelling in `like`. If two texts refer to the same object,
 * the text of `like` is used, such as `acme/web` instead of `8`. All other values stay the same. A comparison then
 * shows only real differences.
 *
 * @param idOf receives only paths
 */
export function spelledLike(
  attributes: Attributes,
  values: ValueObject,
  like: ValueObject,
  idOf: IdOf,
): ValueObject {
  return spellerOfObjects(attributes, [like], idOf)(values) as ValueObject;
}

/** A function that changes the spelling of one value, or returns the value itself if nothing changes. */
type Speller = (value: Value) => Value;

/**
 * Returns the speller for objects with these attributes. No rule says which object of `likes` corresponds to a value,
 * so the speller uses the spellings of all objects in `likes`.
 */
function spellerOfObjects(attributes: Attributes, likes: readonly ValueObject[], idOf: IdOf): Speller {
  const spellers = attributeEntries(attributes).flatMap(([name, { type }]) => {
    const speller = spellerOf(type, () => likes.map((one) => one[name] ?? null), idOf);
    return speller === undefined ? [] : [[name, speller] as const];
  });
  return (value) => {
    if (!isObject(value)) return value;
    let spelled: Record<string, Value> | undefined;
    for (const [name, speller] of spellers) {
      const before = value[name] ?? null;
      const respelled = speller(before);
      if (respelled === before) continue;
      spelled ??= { ...value };
      spelled[name] = respelled;
    }
    return spelled ?? value;
  };
}

/**
 * Returns the speller for values of a type; undefined for a type without references. The speller reads the values
 * of `likes` only once.
 */
function spellerOf(type: AttributeType, likes: () => readonly Value[], idOf: IdOf): Speller | undefined {
  if (type.kind === "reference") return spellerOfReferences(type.to, likes(), idOf);
  const element = type.kind === "single" ? undefined : elementType(type);
  if (element !== undefined) {
    const speller = spellerOf(element, () => likes().flatMap(elementsOf), idOf);
    return speller && ((value) => spelledElements(value, speller));
  }
  return isNested(type) ? spellerOfObjects(type.nested, likes().filter(isObject), idOf) : undefined;
}

function spelledElements(value: Value, speller: Speller): Value {
  if (!Array.isArray(value)) return value;
  const elements = value.map(speller);
  return elements.some((one, index) => one !== value[index]) ? elements : value;
}

function spellerOfReferences(kind: ReferenceKind, likes: readonly Value[], idOf: IdOf): Speller {
  const idIn = (text: string) => (isNumericId(text) ? Number(text) : idOf(kind, text));
  const texts = new Set(likes.filter((one) => typeof one === "string"));
  const byId = new Map<number | undefined, string>();
  for (const text of texts) {
    const id = idIn(text);
    if (id !== undefined && !byId.has(id)) byId.set(id, text);
  }
  return (value) => {
    if (typeof value !== "string" || texts.has(value)) return value;
    return byId.get(idIn(value)) ?? value;
  };
}

const elementsOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [value]);

/** Returns the attributes of a state for display: dynamic values are shown without their types. */
export const shown = (attributes: Attributes, state: ValueObject): ValueObject =>
  hasAnyType(attributes)
    ? Object.fromEntries(
        Object.entries(state).map(([name, value]) => [
          name,
          attributes[name]?.type.kind === "dynamic" && isObject(value) ? (value["value"] ?? null) : value,
        ]),
      )
    : state;

const hasAnyType = memoize((attributes: Attributes) =>
  attributeEntries(attributes).some(([, { type }]) => type.kind === "dynamic"),
);
