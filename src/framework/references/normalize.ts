import type { DiagnosticPath } from "../../diagnostics";
import {
  type Attributes,
  type AttributeType,
  attributeEntries,
  attributeList,
  canonicalJson,
  elementStep,
  elementType,
  isCollectionOfPrimitives,
  isNested,
  isNumericId,
  isObject,
  isUnknown,
  memoize,
  type Reference,
  type ReferenceKind,
  semanticKey,
  type Value,
  type ValueObject,
} from "../../schema";
import type { References, Uses } from "./references";

/** A value in the form that lifecycle functions receive: wholly known, with resolved references. */
export type Resolved =
  | null
  | boolean
  | number
  | string
  | Reference
  | readonly Resolved[]
  | { [name: string]: Resolved };

/** Returns whether values of this type can contain references. */
export const hasReferences = memoize((type: AttributeType): boolean =>
  hasPart(type, ({ kind }) => kind === "reference"),
);

/** Returns whether a known value contains no reference, such as a set that contains only roles. */
export function isWithoutReference(type: AttributeType, value: Value): boolean {
  if (value === null || !hasReferences(type)) return true;
  if (!isNested(type)) return false;
  if (!Array.isArray(value)) return isObject(value) && isWithoutReferences(type.nested, value);
  for (let index = 0; index < value.length; index += 1) {
    const element = value[index] as Value;
    if (!isObject(element) || !isWithoutReferences(type.nested, element)) return false;
  }
  return true;
}

function isWithoutReferences(attributes: Attributes, object: { readonly [name: string]: Value }): boolean {
  const all = attributeList(attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    if (!isWithoutReference(attribute.type, object[name] ?? null)) return false;
  }
  return true;
}

/** Returns whether equivalent values of this type can have different spellings. */
const isNormalized = memoize((type: AttributeType): boolean =>
  hasPart(type, (part) => part.kind === "reference" || semanticKeyOf(part) !== undefined),
);

const semanticKeyOf = (type: AttributeType): ((text: string) => string) | undefined =>
  type.kind === "string" ? type.normalize : undefined;

function hasPart(type: AttributeType, isWanted: (part: AttributeType) => boolean): boolean {
  if (isCollectionOfPrimitives(type)) return isWanted(type.element);
  return (
    isWanted(type) ||
    (isNested(type) && Object.values(type.nested).some((nested) => hasPart(nested.type, isWanted)))
  );
}

/** A text that refers to an object, and the attribute that contains it. */
export interface ReferenceText {
  readonly kind: ReferenceKind;
  readonly text: string;
  readonly attribute: DiagnosticPath;
}

/** Returns the paths in known values. Ids are not paths, so the result does not contain them. */
export function pathsIn(attributes: Attributes, values: ValueObject): readonly ReferenceText[] {
  const found: ReferenceText[] = [];
  addPaths(attributes, values, () => [], found);
  return found;
}

function addPaths(
  attributes: Attributes,
  object: Value,
  at: () => DiagnosticPath,
  found: ReferenceText[],
): void {
  if (!isObject(object)) return;
  const all = attributeList(attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    const value = object[name] ?? null;
    if (value !== null && hasReferences(attribute.type))
      addPathsOf(attribute.type, value, () => [...at(), name], found);
  }
}

function addPathsOf(
  type: AttributeType,
  value: Value,
  at: () => DiagnosticPath,
  found: ReferenceText[],
): void {
  if (Array.isArray(value)) {
    const one = isNested(type) ? type : elementType(type)!;
    value.forEach((element: Value, index) => {
      const path = () => [...at(), elementStep(type, element, index)];
      if (isNested(type)) addPaths(type.nested, element, path, found);
      else addPathsOf(one, element, path, found);
    });
  } else if (isNested(type)) addPaths(type.nested, value, at, found);
  else if (type.kind === "reference" && typeof value === "string" && !isNumericId(value))
    found.push({ kind: type.to, text: value, attribute: at() });
}

/** Returns a declared or stored value with resolved references. Call this function only within `References.settled`. */
export function resolveValue(
  type: AttributeType,
  value: Value,
  references: References,
  path: DiagnosticPath,
): Resolved {
  if (value === null || isUnknown(value)) return null;
  if (type.kind === "reference") return references.named(type.to, String(value), path);
  if (!hasReferences(type)) return value as Resolved;
  const resolveElement = (element: Value, at: () => DiagnosticPath): Resolved =>
    isNested(type)
      ? resolveObject(type.nested, element, references, at)
      : references.named((type as { element: { to: ReferenceKind } }).element.to, String(element), at());
  return Array.isArray(value)
    ? value.map((element: Value, index) =>
        resolveElement(element, () => [...path, elementStep(type, element, index)]),
      )
    : resolveElement(value, () => path);
}

function resolveObject(
  attributes: Attributes,
  object: Value,
  references: References,
  path: () => DiagnosticPath,
): Resolved {
  const fields = isObject(object) ? object : {};
  const resolved: Record<string, Resolved> = {};
  const all = attributeList(attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    const value = fields[name] ?? null;
    const isPlain = value === null || (!isUnknown(value) && !hasReferences(attribute.type));
    resolved[name] = isPlain
      ? (value as Resolved)
      : resolveValue(attribute.type, value, references, [...path(), name]);
  }
  return resolved;
}

/**
 * Converts a value from a lifecycle function to a value of the state. Call this function only within `References.settled`.
 * References get the spelling in `like`, and sets get the order in `like`. Elements that are not in `like` follow in a canonical
 * order, so that equal sets result in equal texts.
 */
export function spellValue(type: AttributeType, found: Resolved, like: Value, references: References): Value {
  // Most values did not change. For an unchanged value, `like` is the result, and no new value is created.
  if (isSpellingKept(type, found, like, references)) return like;
  const keepSpelling = found === null ? null : spell(type, found, like, references);
  return type.kind === "set" && Array.isArray(keepSpelling) ? orderedLike(like, keepSpelling) : keepSpelling;
}

/**
 * Returns whether `like`, a value of the state, equals the found value in content, order and spelling. If the values are equal,
 * the references of the value are marked as used. Sends no request.
 */
const isSpellingKept = (type: AttributeType, found: Resolved, like: Value, references: References): boolean =>
  references.isSuccessful((isUsed) => comparisonOf(type)(found, like, isUsed));

/**
 * Returns whether `like`, a value of the state, equals the found value in content and order. `isUsed` decides whether a text
 * refers to an id.
 */
export type Comparison = (found: Resolved, like: Value, isUsed: Uses) => boolean;

/** Returns the function that compares values of a type. The functions are cached, because a plan compares every object. */
export const comparisonOf = memoize((type: AttributeType): Comparison => {
  if (type.kind === "reference") {
    const { to } = type;
    return (found, like, isUsed) =>
      found === null ? like === null : typeof like === "string" && isUsed(to, like, (found as Reference).id);
  }
  const element = type.kind === "single" ? undefined : elementType(type);
  const isSameOf = isNested(type) ? comparisonOfObjects(type.nested) : isSameOne;
  if (element === undefined) return isSameOf;
  const isSameElement = isNested(type) ? isSameOf : comparisonOf(element);
  return (found, like, isUsed) => {
    if (!Array.isArray(found)) return isSameOf(found, like, isUsed);
    if (!Array.isArray(like) || like.length !== found.length) return false;
    for (let index = 0; index < found.length; index += 1)
      if (!isSameElement(found[index] as Resolved, like[index] as Value, isUsed)) return false;
    return true;
  };
});

const isSameOne: Comparison = (found, like) => found === like;

function comparisonOfObjects(attributes: Attributes): Comparison {
  const all = attributeList(attributes);
  const ofFields = all.map(({ attribute }) => comparisonOf(attribute.type));
  return (found, like, isUsed) => {
    if (found === null || like === null) return found === like;
    if (!isObject(like)) return false;
    for (let index = 0; index < all.length; index += 1) {
      const { name } = all[index]!;
      const value = like[name];
      if (value === undefined || !ofFields[index]!(fieldOf(found, name), value, isUsed)) return false;
    }
    return hasSize(like, all.length);
  };
}

/**
 * Returns whether an object has this number of keys. The loop avoids a list of keys, which would take memory for every object.
 */
export function hasSize(object: object, size: number): boolean {
  let count = 0;
  for (const _ in object) count += 1;
  return count === size;
}

function spell(type: AttributeType, found: Resolved, like: Value, references: References): Value {
  if (!isNormalized(type)) return found as Value;
  if (type.kind === "string") {
    const wanted = meaning(type, found);
    return texts(like).find((text) => meaning(type, text) === wanted) ?? (found as string);
  }
  if (type.kind === "reference") {
    return references.spell(type.to, [found as Reference], texts(like))[0]!;
  }
  if (isCollectionOfPrimitives(type)) {
    return references.spell((type.element as { to: ReferenceKind }).to, found as Reference[], texts(like));
  }
  const { nested } = type as { nested: Attributes };
  return Array.isArray(found)
    ? found.map((element: Resolved) => spellObject(nested, element, like, references))
    : spellObject(nested, found, like, references);
}

function spellObject(attributes: Attributes, found: Resolved, like: Value, references: References): Value {
  const keepSpelling: Record<string, Value> = {};
  for (const [name, { type }] of attributeEntries(attributes)) {
    // It is unknown which element of the state a found element corresponds to, so the spellings of all elements are candidates.
    const candidates = elementsOf(like).flatMap((element) =>
      isObject(element) ? [element[name] ?? null] : [],
    );
    keepSpelling[name] = spellValue(type, fieldOf(found, name), candidates, references);
  }
  return keepSpelling;
}

function orderedLike(like: Value, elements: readonly Value[]): readonly Value[] {
  if (elements.length < 2) return elements;
  const rank = new Map(elementsOf(like).map((element, index) => [canonicalJson(element), index]));
  return elements
    .map((element) => {
      const text = canonicalJson(element);
      return { element, text, rank: rank.get(text) ?? rank.size };
    })
    .sort((one, other) => one.rank - other.rank || (one.text < other.text ? -1 : 1))
    .map(({ element }) => element);
}

const fieldOf = (object: Resolved, name: string): Resolved =>
  (object as { readonly [name: string]: Resolved })[name] ?? null;

const elementsOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [value]);
const texts = (value: Value): string[] => elementsOf(value).filter((text) => typeof text === "string");

/**
 * Returns a key for a value. Equivalent values have equal keys, because a key contains ids of references and normalized texts.
 */
export const meaning = (type: AttributeType | undefined, value: Resolved): string =>
  semanticKey(value as Value, type, leafKey);

function leafKey(value: Value, type: AttributeType | undefined): string {
  if (type?.kind === "reference") return `#${(value as unknown as Reference).id}`;
  const same = type && semanticKeyOf(type);
  return canonicalJson(same ? same(value as string) : value);
}
