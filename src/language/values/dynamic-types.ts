import type { FindConversion } from "./conversion-type";
import { isCollection, type ObjectType, objectOf, type TupleType, type Type, tupleOf } from "./types";
import { unifyTypes } from "./unify";

/**
 * Replaces each dynamic part of the wanted type by the given one: the type that null and unknown convert to.
 */
export function resolveDynamic(given: Type | undefined, wanted: Type, find: FindConversion): Type {
  if (given === undefined || given.kind === "dynamic") return wanted;
  if (wanted.kind === "dynamic") return given;
  if (isCollection(wanted)) {
    const parts = partsOf(given, wanted.kind === "map");
    if (parts === undefined) return wanted;
    const element = isCollection(given) ? given.element : unifyTypes(parts, true, find);
    return { kind: wanted.kind, element: resolveDynamic(element, wanted.element, find) };
  }
  if (wanted.kind === "object") return resolveAttributes(given, wanted, find);
  return wanted.kind === "tuple" && given.kind === "tuple" ? resolveElements(given, wanted, find) : wanted;
}

function partsOf(given: Type, asMap: boolean): readonly Type[] | undefined {
  switch (given.kind) {
    case "map":
      return asMap ? [given.element] : undefined;
    case "object":
      return asMap ? [...given.attributes.values()] : undefined;
    case "list":
    case "set":
      return asMap ? undefined : [given.element];
    case "tuple":
      return asMap ? undefined : given.elements;
    default:
      return undefined;
  }
}

function resolveAttributes(given: Type, wanted: ObjectType, find: FindConversion): Type {
  const of = (name: string): Type | undefined =>
    given.kind === "map" ? given.element : given.kind === "object" ? given.attributes.get(name) : undefined;
  return objectOf(
    new Map([...wanted.attributes].map(([name, type]) => [name, resolveDynamic(of(name), type, find)])),
  );
}

const resolveElements = (given: TupleType, wanted: TupleType, find: FindConversion): Type =>
  tupleOf(wanted.elements.map((type, index) => resolveDynamic(given.elements[index], type, find)));
