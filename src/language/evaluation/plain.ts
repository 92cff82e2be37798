import type { AttributePath } from "../../diagnostics";
import {
  type Attributes,
  attributeEntries,
  type FunctionSchema,
  isNested,
  isObject,
  memoize,
  type Value as Plain,
  type ValueObject,
  wireType,
} from "../../schema";
import type { Definition } from "../syntax/functions/definition";
import { FunctionError } from "../syntax/functions/function";
import {
  fromPlain,
  type ObjectType,
  objectOf,
  type Type,
  toPlain,
  typeFromJson,
  typeToJson,
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

/**
 * A value in the provider's form, for an attribute of this type; marks must be removed before. A dynamic one includes its type, `{ value, type }`, which is its
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
