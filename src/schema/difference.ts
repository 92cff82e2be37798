import { JsonNumber } from "../json";
import { type Attribute, type Attributes, type AttributeType, attributeEntries } from "./attribute";
import { canonicalJson, isObject, type Value, type ValueObject } from "./value";

/** A text that is equal for equal values of a type without parts: a primitive, a reference, or a value without a schema. */
export type LeafKey = (value: Value, type: AttributeType | undefined) => string;

/** The type of the elements of a collection: objects keep their attributes, in the form of a single one. */
export function elementType(type: AttributeType | undefined): AttributeType | undefined {
  if (type === undefined) return undefined;
  if ("nested" in type) return { kind: "single", nested: type.nested };
  return "element" in type ? type.element : undefined;
}

/** A text that is equal for values that are equal at a place of this type: sets in any order, an absent attribute like null. */
export function semanticKey(
  value: Value,
  type: AttributeType | undefined,
  leaf: LeafKey = canonicalJson,
): string {
  if (value === null || type === undefined) return canonicalJson(value);
  if (Array.isArray(value)) {
    const inside = elementType(type);
    const elements = value.map((one: Value) => semanticKey(one, inside, leaf));
    return `[${(type.kind === "set" ? elements.sort() : elements).join(",")}]`;
  }
  if (!("nested" in type) || !isObject(value)) return leaf(value, type);
  const fields = Object.entries(value)
    .filter(([, one]) => one !== null)
    .map(([name, one]) => `${JSON.stringify(name)}:${semanticKey(one, type.nested[name]?.type, leaf)}`);
  return `{${fields.sort().join(",")}}`;
}

/**
 * Whether two values are equal, whatever the order of an object's names; with a type, whatever the order of a set's
 * elements too. Unknowns equal nothing known.
 */
export const sameValue = (one: Value, other: Value, type?: AttributeType): boolean =>
  sameText(one, other) ||
  (type !== undefined &&
    typeof one === "object" &&
    typeof other === "object" &&
    Array.isArray(one) === Array.isArray(other) &&
    semanticKey(one, type) === semanticKey(other, type));

function sameText(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return (
      one.length === other.length && one.every((element: Value, index) => sameText(element, other[index]))
    );
  if (one instanceof JsonNumber && other instanceof JsonNumber) return String(one) === String(other);
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && sameText(one[name]!, other[name]!))
  );
}

/** An attribute in which two objects differ; null stands for a value that one of them lacks. */
export interface AttributeDifference<T = Value> {
  readonly name: string;
  readonly attribute: Attribute;
  readonly before: T;
  readonly after: T;
}

/** The attributes in which two objects differ, in the schema's order. */
export const differences = (
  attributes: Attributes,
  before: ValueObject,
  after: ValueObject,
): AttributeDifference[] =>
  differencesBy(attributes, before, after, (one, other, { type }) => sameValue(one, other, type));

/** The same with another notion of equality, for values that are more than plain ones. */
export const differencesBy = <T>(
  attributes: Attributes,
  before: { readonly [name: string]: T },
  after: { readonly [name: string]: T },
  same: (one: T | null, other: T | null, attribute: Attribute) => boolean,
): AttributeDifference<T | null>[] =>
  attributeEntries(attributes).flatMap(([name, attribute]) => {
    const [one, other] = [before[name] ?? null, after[name] ?? null];
    return same(one, other, attribute) ? [] : [{ name, attribute, before: one, after: other }];
  });

/** The names of the attributes in which two objects differ. */
export const differingAttributes = (
  attributes: Attributes,
  before: ValueObject,
  after: ValueObject,
): string[] => differences(attributes, before, after).map(({ name }) => name);

/** The elements that one collection has and another lacks, with their positions; `identify` gives equal texts for equal ones. */
export function elementsBeyond<T>(
  elements: readonly T[],
  others: readonly T[],
  identify: (element: T) => string,
): { readonly index: number; readonly element: T }[] {
  const known = new Set(others.map(identify));
  return elements.flatMap((element, index) => (known.has(identify(element)) ? [] : [{ index, element }]));
}

/** Classes of attributes that say nothing of the service when they are left out; `unset` says that there shall be none. */
const SILENT_WHEN_LEFT_OUT: ReadonlySet<Attribute["presence"]> = new Set(["left-alone", "managed"]);

/** Whether a declaration with this value of an attribute says anything of the service. */
export const isDeclared = ({ presence }: Attribute, value: unknown): boolean =>
  presence !== "computed" &&
  presence !== "code-only" &&
  ((value ?? null) !== null || !SILENT_WHEN_LEFT_OUT.has(presence));
