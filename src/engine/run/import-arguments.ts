import {
  ConversionError,
  convert,
  elementsOf,
  entriesOf,
  type ImportDeclaration,
  isNull,
  number,
  type Repetition,
  type ResourceDeclaration,
  STRING,
  string,
  type Value,
} from "../../language";

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
  if (value.sensitive)
    return { problem: "Its for_each is sensitive, and its keys would appear in addresses." };
  if (isNull(value)) return { problem: "Its for_each is null." };
  const repetitions = repetitionsOf(value);
  return repetitions === undefined
    ? { problem: "Its for_each is not a map, set or list." }
    : { value: repetitions };
}

function repetitionsOf(value: Value): Repetition[] | undefined {
  switch (value.type.kind) {
    case "map":
    case "object":
      return [...entriesOf(value)].map(([key, one]) => ({ each: { key: string(key), value: one } }));
    case "set":
      return elementsOf(value).map((one) => ({ each: { key: one, value: one } }));
    case "list":
    case "tuple":
      return elementsOf(value).map((one, index) => ({ each: { key: number(index), value: one } }));
    default:
      return undefined;
  }
}

/** Reads the known value of `id`. */
export function readId(value: Value): Read<string> {
  if (isNull(value)) return { problem: "Its id is null." };
  try {
    const id = convert(value, STRING).content as string;
    return id === "" ? { problem: "Its id is an empty string." } : { value: id };
  } catch (problem) {
    if (!(problem instanceof ConversionError)) throw problem;
    return { problem: "Its id is not a string." };
  }
}
