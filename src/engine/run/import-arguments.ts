import { nearest } from "../../diagnostics";
import {
  type Configuration,
  ConversionError,
  convert,
  type ImportDeclaration,
  impliedType,
  number,
  type Repetition,
  type ResourceDeclaration,
  STRING,
  string,
  toPlain,
  unmarkDeep,
  type Value,
} from "../../language";
import { groupBy, type IdentitySchema, memoize, type Value as Plain, type ValueObject } from "../../schema";

/** A value of an import block, or what is wrong with it, in a sentence. */
type Read<T> = { readonly value: T } | { readonly problem: string };

/** What is wrong with the target: instances of count and for_each have a key, and others have none. */
export function keyProblem(
  { key }: ImportDeclaration,
  { count, forEach, address }: ResourceDeclaration,
): string | undefined {
  const isRepeated = count !== undefined || forEach !== undefined;
  if (isRepeated && key === undefined)
    return `${address} has count or for_each; name one instance, with its key.`;
  if (!isRepeated && key !== undefined)
    return `${address} has neither count nor for_each; name it without a key.`;
  return undefined;
}

/** Reads the known value of `for_each`. */
export function readRepetitions(value: Value): Read<Repetition[]> {
  if (value.isSensitive)
    return { problem: "Its for_each is sensitive, and its keys would appear in addresses." };
  if (value.isNull) return { problem: "Its for_each is null." };
  const repetitions = repetitionsOf(value);
  return repetitions === undefined
    ? { problem: "Its for_each is not a map, set or list." }
    : { value: repetitions };
}

function repetitionsOf(value: Value): Repetition[] | undefined {
  switch (value.type.kind) {
    case "map":
    case "object":
      return [...value.entries].map(([key, one]) => ({ each: { key: string(key), value: one } }));
    case "set":
      return value.elements.map((one) => ({ each: { key: one, value: one } }));
    case "list":
    case "tuple":
      return value.elements.map((one, index) => ({ each: { key: number(index), value: one } }));
    default:
      return undefined;
  }
}

/** Reads the known value of `id`. */
export function readId(value: Value): Read<string> {
  if (value.isNull) return { problem: "Its id is null." };
  try {
    const id = convert(value, STRING).content as string;
    return id === "" ? { problem: "Its id is an empty string." } : { value: id };
  } catch (problem) {
    if (!(problem instanceof ConversionError)) throw problem;
    return { problem: "Its id is not a string." };
  }
}

const byResource = memoize(({ imports }: Configuration) => groupBy(imports, ({ to }) => to));

/** The `import` blocks of a resource, in their order. */
export const importsOf = (configuration: Configuration, address: string): readonly ImportDeclaration[] =>
  byResource(configuration).get(address) ?? [];

/** An identity, or what is wrong with its attributes, in sentences. */
type ReadIdentity = { readonly identity: ValueObject } | { readonly problems: readonly string[] };

/** Why an object of a type can't be imported by its identity. */
export const noIdentity = (type: string): string => `A ${type} has no identity; import it by its id.`;

/** Converts the known value of `identity` to the schema. An optional attribute that is missing is null. */
export function readIdentity(value: Value, { attributes }: IdentitySchema): ReadIdentity {
  if (value.isNull) return { problems: ["Its identity is null."] };
  const names = Object.keys(attributes);
  if (value.type.kind !== "object" && value.type.kind !== "map")
    return { problems: [`Its identity is not an object with ${names.join(" and ")}.`] };
  const entries = value.entries;
  const types = impliedType(attributes).attributes;
  const misspelt = [...entries.keys()].filter((name) => !types.has(name));
  if (misspelt.length > 0) return { problems: misspelt.map((name) => unknownAttribute(name, names)) };
  const problems: string[] = [];
  const identity: Record<string, Plain> = {};
  for (const name of names) {
    const given = entries.get(name);
    if (given !== undefined && !given.isNull) {
      try {
        identity[name] = toPlain(unmarkDeep(convert(given, types.get(name)!)).value);
      } catch (problem) {
        if (!(problem instanceof ConversionError)) throw problem;
        problems.push(`Its identity.${name} is invalid: ${problem.reason}.`);
      }
    } else {
      identity[name] = null;
      if (attributes[name]!.presence === "required") problems.push(`Its identity has no ${name}.`);
    }
  }
  return problems.length > 0 ? { problems } : { identity };
}

function unknownAttribute(name: string, names: readonly string[]): string {
  const close = nearest(name, names);
  const hint = close === undefined ? `It has ${names.join(" and ")}.` : `Did you mean "${close}"?`;
  return `Its identity has no attribute "${name}". ${hint}`;
}
