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
  isObject,
  isUnknown,
  memoize,
  type Reference,
  type ReferenceKind,
  semanticKey,
  type Value,
} from "../../schema";
import type { References, Uses } from "./references";

/** A value for lifecycles: like `Value`, wholly known, with resolved references. */
export type Resolved =
  | null
  | boolean
  | number
  | string
  | Reference
  | readonly Resolved[]
  | { [name: string]: Resolved };

/** Whether a value of this type may contain references. */
export const holdsReferences = memoize((type: AttributeType): boolean =>
  holds(type, ({ kind }) => kind === "reference"),
);

/** Whether equivalent values of this type may have different spellings. */
const isNormalized = memoize((type: AttributeType): boolean =>
  holds(type, (part) => part.kind === "reference" || semanticKeyOf(part) !== undefined),
);

const semanticKeyOf = (type: AttributeType): ((text: string) => string) | undefined =>
  type.kind === "string" ? type.normalize : undefined;

function holds(type: AttributeType, what: (part: AttributeType) => boolean): boolean {
  if (isCollectionOfPrimitives(type)) return what(type.element);
  return (
    what(type) || (isNested(type) && Object.values(type.nested).some((nested) => holds(nested.type, what)))
  );
}

/** A declared or stored value with resolved references, within `settled`. */
export function resolveValue(
  type: AttributeType,
  value: Value,
  references: References,
  path: DiagnosticPath,
): Resolved {
  if (value === null || isUnknown(value)) return null;
  if (type.kind === "reference") return references.named(type.to, String(value), path);
  if (!holdsReferences(type)) return value as Resolved;
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
    const isPlain = value === null || (!isUnknown(value) && !holdsReferences(attribute.type));
    resolved[name] = isPlain
      ? (value as Resolved)
      : resolveValue(attribute.type, value, references, [...path(), name]);
  }
  return resolved;
}

/**
 * The state value of a lifecycle's result, within `settled`: references in the spelling of `like`, and sets
 * in its order, if it has them. Other elements follow in a canonical order, so that equal content yields
 * equal text.
 */
export function spellValue(type: AttributeType, found: Resolved, like: Value, references: References): Value {
  // Most objects are as they were: then nothing has to be put together.
  if (keepsSpelling(type, found, like, references)) return like;
  const keepSpelling = found === null ? null : spell(type, found, like, references);
  return type.kind === "set" && Array.isArray(keepSpelling) ? orderedLike(like, keepSpelling) : keepSpelling;
}

/** Whether the state says what was found, in its order and spelling: then its references are in use. Sends no request. */
export const keepsSpelling = (
  type: AttributeType,
  found: Resolved,
  like: Value,
  references: References,
): boolean =>
  holdsReferences(type)
    ? references.keeps((uses) => isAsBefore(type, found, like, uses))
    : isAsBefore(type, found, like, NO_REFERENCES);

const NO_REFERENCES: Uses = () => false;

/**
 * Whether the state says what was found, in its order and with references that are known. `uses` tells whether a text
 * refers to an id.
 */
function isAsBefore(type: AttributeType, found: Resolved, like: Value, uses: Uses): boolean {
  if (found === null || like === null) return found === like;
  if (type.kind === "reference")
    return typeof like === "string" && uses(type.to, like, (found as Reference).id);
  if (Array.isArray(found)) {
    if (!Array.isArray(like) || like.length !== found.length) return false;
    const element = elementType(type);
    return (
      element !== undefined &&
      found.every((one: Resolved, index) => isAsBefore(element, one, like[index] as Value, uses))
    );
  }
  if (!isNested(type)) return found === like;
  if (!isObject(like)) return false;
  const all = attributeList(type.nested);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    const value = like[name];
    if (value === undefined || !isAsBefore(attribute.type, fieldOf(found, name), value, uses)) return false;
  }
  return Object.keys(like).length === all.length;
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
    // The matching element of the state is unknown: a spelling may come from any of them.
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

/** A key that is equal for equivalent values: references by id, texts in normalized form. */
export const meaning = (type: AttributeType | undefined, value: Resolved): string =>
  semanticKey(value as Value, type, leafKey);

function leafKey(value: Value, type: AttributeType | undefined): string {
  if (type?.kind === "reference") return `#${(value as unknown as Reference).id}`;
  const same = type && semanticKeyOf(type);
  return canonicalJson(same ? same(value as string) : value);
}
