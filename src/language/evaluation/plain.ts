import type { AttributePath } from "../../diagnostics";
import {
  type Attributes,
  attributeEntries,
  isNested,
  isObject,
  isUnknown,
  memoize,
  UNKNOWN as PLAIN_UNKNOWN,
  type Value as Plain,
  type ValueObject,
  wireType,
} from "../../schema";
import {
  elementsOf,
  entriesOf,
  fromJson,
  isKnown,
  isNull,
  list,
  map,
  nullOf,
  type ObjectType,
  objectOf,
  objectOfType,
  set,
  type Type,
  toJson,
  tuple,
  typeFromJson,
  typeToJson,
  unknown,
  type Value,
} from "../values";

/** The object type that attributes imply, as expressions see a resource. */
export const impliedType = memoize((attributes: Attributes) => objectType(attributes, false));

/** The type that a configuration is converted to: nested objects may leave attributes out. */
export const constraintType = memoize((attributes: Attributes) => objectType(attributes, true));

function objectType(attributes: Attributes, mayLeaveOut: boolean): ObjectType {
  const types = attributeEntries(attributes).map(([name, { type }]): [string, Type] => {
    if (!isNested(type)) return [name, typeFromJson(wireType(type))];
    const element = objectType(type.nested, mayLeaveOut);
    return [name, type.kind === "single" ? element : { kind: type.kind, element }];
  });
  return objectOf(new Map(types), mayLeaveOut ? Object.keys(attributes) : []);
}

/** A value of the language as the provider takes it. Marks must be taken off before. */
export function toPlain(value: Value): Plain {
  if (!isKnown(value)) return PLAIN_UNKNOWN;
  if (isNull(value)) return null;
  switch (value.type.kind) {
    case "list":
    case "set":
    case "tuple":
      return elementsOf(value).map(toPlain);
    case "map":
    case "object":
      return Object.fromEntries([...entriesOf(value)].map(([name, one]) => [name, toPlain(one)]));
    default:
      return toJson(value) as Plain;
  }
}

/**
 * The same for an attribute of this type. One of any type goes with its own type beside it, `{ value, type }`, which is
 * how states keep it.
 */
export function toPlainAs(type: Type, value: Value): Plain {
  if (type.kind !== "dynamic" || value.type.kind === "dynamic") return toPlain(value);
  return { value: toPlain(value), type: typeToJson(value.type) as Plain };
}

/** A state's attributes as they are shown: values of any type without their types. */
export const shown = (attributes: Attributes, state: ValueObject): ValueObject =>
  holdsAnyType(attributes)
    ? Object.fromEntries(
        Object.entries(state).map(([name, value]) => [
          name,
          attributes[name]?.type.kind === "dynamic" && isObject(value) ? (value["value"] ?? null) : value,
        ]),
      )
    : state;

const holdsAnyType = memoize((attributes: Attributes) =>
  attributeEntries(attributes).some(([, { type }]) => type.kind === "dynamic"),
);

/** A value of the provider as the language has it. */
export function fromPlain(plain: Plain, type: Type): Value {
  if (isUnknown(plain)) return unknown(type);
  if (plain === null) return nullOf(type);
  if (type.kind === "dynamic") {
    const { value, type: own } = plain as { value: Plain; type: Plain };
    return fromPlain(value, typeFromJson(own));
  }
  if (Array.isArray(plain) && type.kind === "tuple") {
    return tuple(plain.map((one: Plain, index) => fromPlain(one, type.elements[index]!)));
  }
  if (Array.isArray(plain) && (type.kind === "list" || type.kind === "set")) {
    const elements = plain.map((one: Plain) => fromPlain(one, type.element));
    return type.kind === "list" ? list(elements, type.element) : set(elements, type.element);
  }
  if (type.kind === "object") {
    const fields = plain as Readonly<Record<string, Plain>>;
    const entries = [...type.attributes].map(
      ([name, one]) => [name, fromPlain(fields[name] ?? null, one)] as const,
    );
    return objectOfType(type, new Map(entries));
  }
  if (type.kind === "map") {
    const entries = Object.entries(plain as Readonly<Record<string, Plain>>);
    return map(new Map(entries.map(([name, one]) => [name, fromPlain(one, type.element)])), type.element);
  }
  return fromJson(plain, type);
}

/** The paths of attributes that the schema itself calls sensitive. */
export const sensitiveAttributes = memoize((attributes: Attributes): readonly AttributePath[] =>
  attributeEntries(attributes)
    .filter(([, { text }]) => text.sensitive)
    .map(([name]) => [name]),
);
