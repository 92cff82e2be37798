import {
  type Attributes,
  type AttributeType,
  attributeEntries,
  isNested,
  isNumericId,
  type ReferenceKind,
} from "./attribute";
import { elementType } from "./difference";
import { isObject, type Value, type ValueObject } from "./value";

/** Returns the id that a text refers to; undefined if it is not known. */
export type IdOf = (kind: ReferenceKind, text: string) => number | undefined;

/**
 * Respells values like others: a reference that means the same as one there gets the other text, such as `acme/web`
 * instead of `8`. Everything else stays, so a comparison of both shows only what differs in meaning.
 *
 * @param idOf receives paths only
 */
export function spelledLike(
  attributes: Attributes,
  values: ValueObject,
  like: ValueObject,
  idOf: IdOf,
): ValueObject {
  return spellerOfObjects(attributes, [like], idOf)(values) as ValueObject;
}

/** Respells one value; returns it as it is if nothing has another spelling. */
type Speller = (value: Value) => Value;

/** Any of the other objects may be the one that is meant. */
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

/** Returns the speller of a type; undefined for a type without references. It searches the other objects once. */
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
