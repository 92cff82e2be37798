import {
  type Attributes,
  type AttributeType,
  attributeEntries,
  isNested,
  isNumericId,
  type ReferenceKind,
} from "./attribute";
import { elementType } from "./difference";
import { isObject, isUnknown, type Value, type ValueObject } from "./value";

/** Returns the id that a text refers to; undefined if it is not known. */
export type IdOf = (kind: ReferenceKind, text: string) => number | undefined;

/**
 * Respells values like others: a reference that means the same as one there gets the other text, such as `acme/web`
 * instead of `8`. Everything else stays, so a comparison of both shows only what differs in meaning.
 *
 * @param idOf is asked about paths only
 */
export function spelledLike(
  attributes: Attributes,
  values: ValueObject,
  like: ValueObject,
  idOf: IdOf,
): ValueObject {
  let spelled: Record<string, Value> | undefined;
  for (const [name, { type }] of attributeEntries(attributes)) {
    const value = values[name] ?? null;
    const respelled = spell(type, value, like[name] ?? null, idOf);
    if (respelled === value) continue;
    spelled ??= { ...values };
    spelled[name] = respelled;
  }
  return spelled ?? values;
}

function spell(type: AttributeType, value: Value, like: Value, idOf: IdOf): Value {
  if (value === null || like === null || isUnknown(value) || value === like) return value;
  if (type.kind === "reference") {
    const wanted = typeof value === "string" ? idIn(type.to, value, idOf) : undefined;
    if (wanted === undefined || texts(like).includes(value as string)) return value;
    return texts(like).find((text) => idIn(type.to, text, idOf) === wanted) ?? value;
  }
  const element = type.kind === "single" ? undefined : elementType(type);
  if (element !== undefined && Array.isArray(value)) {
    const elements = value.map((one: Value) => spell(element, one, like, idOf));
    return elements.some((one, index) => one !== value[index]) ? elements : value;
  }
  if (!isNested(type) || !isObject(value)) return value;
  // Any element there may be the one that is meant.
  const others = elementsOf(like).filter(isObject);
  let spelled: Record<string, Value> | undefined;
  for (const [name, { type: inner }] of attributeEntries(type.nested)) {
    const before = value[name] ?? null;
    const candidates = others.map((one) => one[name] ?? null);
    const respelled = spell(inner, before, candidates, idOf);
    if (respelled === before) continue;
    spelled ??= { ...value };
    spelled[name] = respelled;
  }
  return spelled ?? value;
}

const idIn = (kind: ReferenceKind, text: string, idOf: IdOf): number | undefined =>
  isNumericId(text) ? Number(text) : idOf(kind, text);

const elementsOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [value]);
const texts = (value: Value): string[] => elementsOf(value).filter((text) => typeof text === "string");
