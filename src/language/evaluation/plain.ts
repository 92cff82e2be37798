import type { AttributePath } from "../../diagnostics";
import {
  type Attributes,
  attributeEntries,
  type FunctionSchema,
  isNested,
  isObject,
  isUnknown,
  memoize,
  UNKNOWN as PLAIN_UNKNOWN,
  type Value as Plain,
  type ValueObject,
  wireType,
} from "../../schema";
import type { Definition } from "../syntax/functions/definition";
import { FunctionError } from "../syntax/functions/function";
import {
  fromJson,
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

/** The object type of attributes, as expressions see a resource. */
export const impliedType = memoize((attributes: Attributes) => objectType(attributes, false));

/** The conversion type of a configuration: nested objects may omit attributes. */
export const constraintType = memoize((attributes: Attributes) => objectType(attributes, true));

function objectType(attributes: Attributes, canLeaveOut: boolean): ObjectType {
  const types = attributeEntries(attributes).map(([name, { type }]): [string, Type] => {
    if (!isNested(type)) return [name, typeFromJson(wireType(type))];
    const element = objectType(type.nested, canLeaveOut);
    return [name, type.kind === "single" ? element : { kind: type.kind, element }];
  });
  return objectOf(new Map(types), canLeaveOut ? Object.keys(attributes) : []);
}

/** A value of the language in the provider's form. Marks must be removed before. */
export function toPlain(value: Value): Plain {
  if (!value.isKnown) return PLAIN_UNKNOWN;
  if (value.isNull) return null;
  switch (value.type.kind) {
    case "list":
    case "set":
    case "tuple":
      return value.elements.map(toPlain);
    case "map":
    case "object":
      return Object.fromEntries([...value.entries].map(([name, one]) => [name, toPlain(one)]));
    default:
      return toJson(value) as Plain;
  }
}

/**
 * The same for an attribute of this type. A dynamic one includes its type, `{ value, type }`, which is its
 * form in states.
 */
export function toPlainAs(type: Type, value: Value): Plain {
  if (type.kind !== "dynamic" || value.type.kind === "dynamic") return toPlain(value);
  return { value: toPlain(value), type: typeToJson(value.type) as Plain };
}

/** A state's attributes for display: dynamic values without their types. */
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

/** A value of the provider in the language's form. */
export function fromPlain(withTypes: Plain, type: Type): Value {
  if (isUnknown(withTypes)) return unknown(type);
  if (withTypes === null) return nullOf(type);
  if (type.kind === "dynamic") {
    const { value, type: own } = withTypes as { value: Plain; type: Plain };
    return fromPlain(value, typeFromJson(own));
  }
  if (Array.isArray(withTypes) && type.kind === "tuple") {
    return tuple(withTypes.map((one: Plain, index) => fromPlain(one, type.elements[index]!)));
  }
  if (Array.isArray(withTypes) && (type.kind === "list" || type.kind === "set")) {
    const elements = withTypes.map((one: Plain) => fromPlain(one, type.element));
    return type.kind === "list" ? list(elements, type.element) : set(elements, type.element);
  }
  if (type.kind === "object") {
    const fields = withTypes as Readonly<Record<string, Plain>>;
    const entries = [...type.attributes].map(
      ([name, one]) => [name, fromPlain(fields[name] ?? null, one)] as const,
    );
    return objectOfType(type, new Map(entries));
  }
  if (type.kind === "map") {
    const entries = Object.entries(withTypes as Readonly<Record<string, Plain>>);
    return map(new Map(entries.map(([name, one]) => [name, fromPlain(one, type.element)])), type.element);
  }
  return fromJson(withTypes, type);
}

/** The paths of attributes that the schema marks as sensitive. */
export const sensitiveAttributes = memoize((attributes: Attributes): readonly AttributePath[] =>
  attributeEntries(attributes)
    .filter(([, { text }]) => text.sensitive)
    .map(([name]) => [name]),
);

/** The result of a provider's function, or what is wrong with an argument, by its index. */
type FunctionResult =
  | { readonly result: Plain; readonly error?: undefined }
  | { readonly error: { readonly text: string; readonly argument?: number } };

/** A provider's function as expressions call it. */
export function providerFunction(
  { parameters, returns }: FunctionSchema,
  call: (args: readonly Plain[]) => FunctionResult,
): Definition {
  const { attributes: types } = impliedType(parameters);
  const params = attributeEntries(parameters).map(([name, { presence }]) => {
    const type = types.get(name)!;
    return [name, { type, canBeNull: presence !== "required" }] as const;
  });
  const type = impliedType({ returns }).attributes.get("returns")!;
  return {
    params,
    rest: undefined,
    returns: type,
    refine: {},
    call: (args) => {
      const response = call(params.map(([, one], index) => toPlainAs(one.type, args[index]!)));
      if (response.error === undefined) return fromPlain(response.result, type);
      const { text, argument } = response.error;
      throw new FunctionError(text.replace(/\.$/, ""), argument);
    },
  };
}
