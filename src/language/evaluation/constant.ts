import {
  type Attributes,
  type AttributeType,
  attributeList,
  isNested,
  type Value,
  type ValueObject,
} from "../../schema";

/**
 * A constant of the configuration as a value of an attribute, where no conversion changes it; undefined where
 * the language has to convert or refuse it.
 */
export function constantValue(json: unknown, type: AttributeType): Value | undefined {
  if (json === null) return null;
  switch (type.kind) {
    case "string":
    case "reference":
      return typeof json === "string" && isAscii(json) ? json : undefined;
    case "bool":
      return typeof json === "boolean" ? json : undefined;
    case "number":
      return typeof json === "number" ? json : undefined;
    case "list":
    case "set":
      return elements(json, type);
    case "single":
      return nestedValue(json, type.nested);
    default:
      return undefined;
  }
}

type CollectionOfPrimitives = Extract<AttributeType, { readonly element: unknown }>;

/** Terraform sorts the elements of a set, and drops duplicates. */
function elements(json: unknown, type: AttributeType): Value | undefined {
  if (!Array.isArray(json) || (type.kind === "set" && json.length > 1)) return undefined;
  const values: Value[] = [];
  for (const one of json) {
    const value = isNested(type)
      ? nestedValue(one, type.nested)
      : constantValue(one, (type as CollectionOfPrimitives).element);
    if (value === undefined || value === null) return undefined;
    values.push(value);
  }
  return values;
}

function nestedValue(json: unknown, nested: Attributes): Value | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  const given = json as Readonly<Record<string, unknown>>;
  for (const name in given) if (!(name in nested)) return undefined;
  const value: Record<string, ValueObject[string]> = {};
  const all = attributeList(nested);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    const one = name in given ? constantValue(given[name], attribute.type) : null;
    if (one === undefined) return undefined;
    value[name] = one;
  }
  return value;
}

/** Other texts are normalized by the language. */
const isAscii = (text: string): boolean => ASCII.test(text);
const ASCII = /^[\x20-\x7e]*$/;
