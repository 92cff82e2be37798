import {
  type Attributes,
  type AttributeType,
  attributeList,
  isNested,
  memoize,
  type Value as PlainValue,
  type ValueObject,
} from "../../schema";
import type { Body } from "../configuration";
import { META_ARGUMENTS } from "../configuration/load-resource";

/**
 * A constant of the configuration as a value of an attribute, where no conversion changes it; undefined where
 * the language has to convert or refuse it.
 */
export function constantValue(json: unknown, type: AttributeType): PlainValue | undefined {
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
function elements(json: unknown, type: AttributeType): PlainValue | undefined {
  if (!Array.isArray(json) || (type.kind === "set" && json.length > 1)) return undefined;
  const values: PlainValue[] = [];
  for (const one of json) {
    const value = isNested(type)
      ? nestedValue(one, type.nested)
      : constantValue(one, (type as CollectionOfPrimitives).element);
    if (value === undefined || value === null) return undefined;
    values.push(value);
  }
  return values;
}

function nestedValue(json: unknown, nested: Attributes): PlainValue | undefined {
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

/** The values of a block of constants, as most are; undefined where an argument is another one, or unknown. */
export function constantBody(body: Body, attributes: Attributes): ValueObject | undefined {
  const config: Record<string, ValueObject[string]> = {};
  const all = attributeList(attributes);
  let found = 0;
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    const expression = body.get(name);
    let value: PlainValue | undefined = null;
    if (expression !== undefined) {
      value = expression.constant && constantValue(expression.constant.json, attribute.type);
      if (value === undefined) return undefined;
      found += 1;
    }
    config[name] = value;
  }
  return found === body.size ? config : undefined;
}

type Constants = Readonly<Record<string, unknown>>;

/**
 * Whether a block of constants is, as it is written, what `evaluateBody` makes of it: but for the meta-arguments, and for null in
 * the place of what is left out, which `plainValues` adds. Makes nothing: most blocks of a large configuration are such.
 */
export const isPlainBlock = (block: Constants, attributes: Attributes): boolean =>
  plainBlockTest(attributes)(block);

/** The values of a plain block, with null for what is left out. */
export function plainValues(block: Constants, attributes: Attributes): ValueObject {
  const values: Record<string, PlainValue> = {};
  const all = attributeList(attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    values[name] = constantValue(block[name] ?? null, attribute.type)!;
  }
  return values;
}

type Test = (json: unknown) => boolean;

const plainBlockTest = memoize((attributes: Attributes) => {
  const tests = testsOf(attributes);
  for (const name of META_ARGUMENTS) if (!tests.has(name)) tests.set(name, () => true);
  return entriesTest(tests);
});

const testsOf = (attributes: Attributes): Map<string, Test> =>
  new Map(attributeList(attributes).map(({ name, attribute }) => [name, plainTest(attribute.type)]));

/** The test of values other than null. */
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
      const isElement = isNested(type)
        ? entriesTest(testsOf(type.nested))
        : plainTest((type as CollectionOfPrimitives).element);
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
