import type { AttributePath } from "../../diagnostics";
import { JsonNumber } from "../../json";
import {
  type Attributes,
  type AttributeType,
  attributeEntries,
  attributeList,
  type FunctionSchema,
  isNested,
  isObject,
  memoize,
  type Value as Plain,
  UNKNOWN,
  type ValueObject,
  wireType,
} from "../../schema";
import { META_ARGUMENTS } from "../configuration/load-resource";
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

/** Returns the path of the first infinite number in a value. States and requests can't contain infinite numbers. */
export function infinitePath(plain: Plain): AttributePath | undefined {
  if (plain instanceof JsonNumber) return /inf/i.test(plain.text) ? [] : undefined;
  if (typeof plain !== "object" || plain === null || plain === UNKNOWN) return undefined;
  const entries: Iterable<readonly [string | number, Plain]> = Array.isArray(plain)
    ? (plain as readonly Plain[]).entries()
    : Object.entries(plain as ValueObject);
  for (const [step, one] of entries) {
    const below = infinitePath(one);
    if (below !== undefined) return [step, ...below];
  }
  return undefined;
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

/** The result of a provider's function, or the problem with an argument, by its index. */
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

/**
 * Returns a constant of the configuration as a value of an attribute, if no conversion changes it. Undefined if the
 * language has to convert or refuse it.
 */
export const constantValue = (json: unknown, type: AttributeType): Plain | undefined =>
  json === null || isConstantOf(type)(json) ? complete(json as Plain, type) : undefined;

const isConstantOf = memoize((type: AttributeType) => plainTest(type));

/** Adds null for omitted attributes of the objects in a tested constant. */
function complete(json: Plain, type: AttributeType): Plain {
  if (json === null || !isNested(type)) return json;
  return Array.isArray(json)
    ? json.map((one) => plainValues(one as Constants, type.nested))
    : plainValues(json as Constants, type.nested);
}

type Constants = Readonly<Record<string, unknown>>;

/**
 * Whether `evaluateBody` would return a block of constants as it is written. Meta-arguments do not count, and
 * `plainValues` adds null for omitted attributes. It creates no values, because most blocks of a large
 * configuration are plain.
 */
export const isPlainBlock = (block: Constants, attributes: Attributes): boolean =>
  plainBlockTest(attributes)(block);

/** Returns the values of a plain block, with null for omitted attributes. */
export function plainValues(block: Constants, attributes: Attributes): ValueObject {
  const values: Record<string, Plain> = {};
  const all = attributeList(attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    values[name] = complete((block[name] ?? null) as Plain, attribute.type);
  }
  return values;
}

/** Other texts are normalized by the language. */
const isAscii = (text: string): boolean => ASCII.test(text);
const ASCII = /^[\x20-\x7e]*$/;

type Test = (json: unknown) => boolean;

const plainBlockTest = memoize((attributes: Attributes) => {
  const tests = testsOf(attributes);
  for (const name of META_ARGUMENTS) if (!tests.has(name)) tests.set(name, () => true);
  return entriesTest(tests);
});

const testsOf = (attributes: Attributes): Map<string, Test> =>
  new Map(attributeList(attributes).map(({ name, attribute }) => [name, plainTest(attribute.type)]));

/** The test of values other than null: Terraform sorts the elements of a set, and normalizes texts. */
function plainTest(type: AttributeType): Test {
  switch (type.kind) {
    case "string":
    case "reference":
      return (json) => typeof json === "string" && isAscii(json);
    case "bool":
      return (json) => typeof json === "boolean";
    case "number":
      return (json) => typeof json === "number";
    case "single":
      return entriesTest(testsOf(type.nested));
    case "list":
    case "set": {
      const isElement = isNested(type) ? entriesTest(testsOf(type.nested)) : plainTest(type.element);
      const most = type.kind === "set" ? 1 : Number.POSITIVE_INFINITY;
      return (json) => {
        if (!Array.isArray(json) || json.length > most) return false;
        for (let index = 0; index < json.length; index += 1)
          if (json[index] === null || !isElement(json[index])) return false;
        return true;
      };
    }
    default:
      return () => false;
  }
}

/** Tests an object whose entries have tests by their names. */
const entriesTest =
  (tests: ReadonlyMap<string, Test>): Test =>
  (json) => {
    if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
    for (const name in json) {
      const value = (json as Constants)[name];
      const isConstant = tests.get(name);
      if (isConstant === undefined || (value !== null && !isConstant(value))) return false;
    }
    return true;
  };
