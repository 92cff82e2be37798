import type { AttributePath } from "../../diagnostics";
import {
  type Attribute,
  type Attributes,
  attributeEntries,
  canonicalJson,
  isNested,
  isObject,
  sameValue as sameText,
  type Value,
  type ValueObject,
} from "../../provider/schema";

/** Whether two values of an attribute are the same, in whatever order the elements of sets stand. */
export const sameValue = (attribute: Attribute, one: Value, other: Value): boolean =>
  sameText(one, other) ||
  (Array.isArray(one) && Array.isArray(other) && inOrder(attribute, one) === inOrder(attribute, other));

function inOrder({ type }: Attribute, value: Value): string {
  if (!Array.isArray(value)) return canonicalJson(value);
  const elements = value.map((element: Value) =>
    isNested(type) && isObject(element) ? objectInOrder(type.nested, element) : canonicalJson(element),
  );
  return (type.kind === "set" ? elements.sort() : elements).join(",");
}

const objectInOrder = (attributes: Attributes, object: ValueObject): string =>
  attributeEntries(attributes)
    .map(([name, attribute]) => inOrder(attribute, object[name] ?? null))
    .join(";");

/** The names of the attributes in which two states of an object differ. */
export const differingAttributes = (attributes: Attributes, one: ValueObject, other: ValueObject): string[] =>
  attributeEntries(attributes)
    .filter(([name, attribute]) => !sameValue(attribute, one[name] ?? null, other[name] ?? null))
    .map(([name]) => name);

/** Whether two lists of paths name the same places, in whatever order. */
export function samePaths(one: readonly AttributePath[], other: readonly AttributePath[]): boolean {
  if (one.length === 0 && other.length === 0) return true;
  const texts = (paths: readonly AttributePath[]) => new Set(paths.map((path) => JSON.stringify(path)));
  const [left, right] = [texts(one), texts(other)];
  return left.size === right.size && [...left].every((path) => right.has(path));
}
