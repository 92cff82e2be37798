import type { AttributePath } from "../diagnostics";
import type { References } from "./references";
import {
  type Attribute,
  type AttributeType,
  canonicalJson,
  isCollectionOfPrimitives,
  isNested,
  isObject,
  isUnknown,
  type Reference,
  type ReferenceKind,
  type Value,
} from "./schema";

/** A value as lifecycles have it: like `Value`, all of it known, with references in place of their texts. */
export type Resolved =
  | null
  | boolean
  | number
  | string
  | Reference
  | readonly Resolved[]
  | { [name: string]: Resolved };

/** Whether a value of this type may hold references. */
export function holdsReferences(type: AttributeType): boolean {
  if (type.kind === "reference") return true;
  if (isCollectionOfPrimitives(type)) return type.element.kind === "reference";
  return isNested(type) && Object.values(type.nested).some((nested) => holdsReferences(nested.type));
}

/** A declared or stored value with its references resolved. */
export async function resolveValue(
  type: AttributeType,
  value: Value,
  references: References,
  path: AttributePath,
): Promise<Resolved> {
  if (value === null || isUnknown(value)) return null;
  if (type.kind === "reference") return references.resolve(type.to, String(value), path);
  if (!holdsReferences(type)) return value as Resolved;
  const resolveElement = (element: Value, at: AttributePath): Promise<Resolved> =>
    isNested(type)
      ? resolveObject(type.nested, element, references, at)
      : references.resolve((type as { element: { to: ReferenceKind } }).element.to, String(element), at);
  return Array.isArray(value)
    ? Promise.all(value.map((element: Value, index) => resolveElement(element, [...path, index])))
    : resolveElement(value, path);
}

async function resolveObject(
  attributes: Readonly<Record<string, Attribute>>,
  object: Value,
  references: References,
  path: AttributePath,
): Promise<Resolved> {
  const fields = isObject(object) ? object : {};
  const resolved = await Promise.all(
    Object.entries(attributes).map(async ([name, { type }]) => [
      name,
      await resolveValue(type, fields[name] ?? null, references, [...path, name]),
    ]),
  );
  return Object.fromEntries(resolved) as Resolved;
}

/** What a lifecycle found, as it stands in the state: references in the spelling of `like`, where that has one. */
export async function spellValue(
  type: AttributeType,
  found: Resolved,
  like: Value,
  references: References,
): Promise<Value> {
  if (found === null || found === undefined) return null;
  if (!holdsReferences(type)) return found as Value;
  if (type.kind === "reference") {
    return (await references.spell(type.to, [found as Reference], texts(like)))[0]!;
  }
  if (isCollectionOfPrimitives(type)) {
    return references.spell((type.element as { to: ReferenceKind }).to, found as Reference[], texts(like));
  }
  const elements = Array.isArray(found) ? (found as Resolved[]) : [found];
  const spelled: Record<string, Value>[] = elements.map(() => ({}));
  for (const [name, nested] of Object.entries(
    (type as { nested: Readonly<Record<string, Attribute>> }).nested,
  )) {
    const likeTexts = elementsOf(like).flatMap((element) =>
      isObject(element) ? [element[name] ?? null] : [],
    );
    for (const [index, element] of elements.entries()) {
      const value = (element as { [name: string]: Resolved })[name] ?? null;
      spelled[index]![name] = await spellValue(nested.type, value, likeTexts, references);
    }
  }
  return Array.isArray(found) ? spelled : spelled[0]!;
}

const elementsOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [value]);
const texts = (value: Value): string[] => elementsOf(value).filter((text) => typeof text === "string");

/** A text that is equal for values that mean the same: references by id, sets in one order. */
export function meaning(type: AttributeType, value: Resolved): string {
  if (value === null) return "null";
  if (type.kind === "reference") return `#${(value as Reference).id}`;
  if (isNested(type)) {
    const object = (element: Resolved) =>
      Object.entries(type.nested)
        .map(
          ([name, nested]) =>
            `${name}=${meaning(nested.type, (element as { [name: string]: Resolved })[name] ?? null)}`,
        )
        .join(",");
    return collect(type.kind, value, object);
  }
  if (isCollectionOfPrimitives(type) && type.kind !== "map") {
    return collect(type.kind, value, (element) => meaning(type.element, element));
  }
  return canonicalJson(value as Value);
}

function collect(kind: string, value: Resolved, each: (element: Resolved) => string): string {
  if (!Array.isArray(value)) return each(value);
  const elements = value.map(each);
  return (kind === "set" ? elements.sort() : elements).join(";");
}
