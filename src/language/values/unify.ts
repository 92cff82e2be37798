import type { FindConversion } from "./conversion-type";
import { preferenceOrder } from "./type-preference";
import {
  type CollectionType,
  DYNAMIC,
  listOf,
  mapOf,
  type ObjectType,
  objectOf,
  type TupleType,
  type Type,
  tupleOf,
  typesEqual,
} from "./types";

/** The common type that all of these convert to, or undefined. Element types are unified recursively. */
export function unifyTypes(types: readonly Type[], unsafe: boolean, find: FindConversion): Type | undefined {
  if (types.length === 0) return undefined;
  const kinds = new Set(types.map((type) => type.kind));
  const open = kinds.delete("dynamic");
  const unification: Unification = { unsafe, find };
  if (kinds.size === 1) {
    const [kind] = kinds;
    if (kind === "list" || kind === "set" || kind === "map") {
      return open ? DYNAMIC : unifyCollections(types as CollectionType[], unification);
    }
    if (kind === "object") return open ? DYNAMIC : unifyObjects(types as ObjectType[], unification);
    if (kind === "tuple") return open ? DYNAMIC : unifyTuples(types as TupleType[], unification);
  }
  if (kinds.has("object") && kinds.has("tuple")) return undefined;
  const mixed = kinds.size === 2 ? unifyMixed(types, kinds, unification) : undefined;
  return mixed ?? preferred(types, unification);
}

interface Unification {
  readonly unsafe: boolean;
  readonly find: FindConversion;
}

/** Objects among maps count as maps, tuples among lists as lists. */
function unifyMixed(
  types: readonly Type[],
  kinds: ReadonlySet<string>,
  unification: Unification,
): Type | undefined {
  const pairs = [
    ["map", "object"],
    ["list", "tuple"],
  ] as const;
  for (const [collection, structural] of pairs) {
    if (!kinds.has(collection) || !kinds.has(structural)) continue;
    const parts = types.filter((type) => type.kind === structural);
    const common = collectionOf(collection, parts as (ObjectType | TupleType)[], unification);
    if (common === undefined) return undefined;
    const replaced = types.map((type) => (type.kind === structural ? common : type));
    const unified = unifyTypes(replaced, unification.unsafe, unification.find);
    return unified?.kind === collection ? unified : undefined;
  }
  return undefined;
}

/** The first type, in the order of preference, that all others convert to. */
function preferred(types: readonly Type[], { unsafe, find }: Unification): Type | undefined {
  return preferenceOrder(types).find((wanted) =>
    types.every((type) => typesEqual(type, wanted) || find(type, wanted, unsafe) !== undefined),
  );
}

const reachable = (types: readonly Type[], wanted: Type, { unsafe, find }: Unification): boolean =>
  types.every((type) => typesEqual(type, wanted) || find(type, wanted, unsafe) !== undefined);

function unifyCollections(types: readonly CollectionType[], unification: Unification): Type | undefined {
  const element = unifyParts(
    types.map((type) => type.element),
    unification,
  );
  if (element === undefined) return undefined;
  const unified: Type = { kind: types[0]!.kind, element };
  return reachable(types, unified, unification) ? unified : undefined;
}

const unifyParts = (types: readonly Type[], { unsafe, find }: Unification): Type | undefined =>
  unifyTypes(types, unsafe, find);

function unifyObjects(types: readonly ObjectType[], unification: Unification): Type | undefined {
  const names = [...types[0]!.attributes.keys()];
  const alike = types.every(
    (type) => type.attributes.size === names.length && names.every((name) => type.attributes.has(name)),
  );
  if (!alike) return collectionOf("map", types, unification);
  const attributes = new Map<string, Type>();
  for (const name of names) {
    const unified = unifyParts(
      types.map((type) => type.attributes.get(name)!),
      unification,
    );
    if (unified === undefined) return undefined;
    attributes.set(name, unified);
  }
  const unified = objectOf(attributes);
  return reachable(types, unified, unification) ? unified : collectionOf("map", types, unification);
}

function unifyTuples(types: readonly TupleType[], unification: Unification): Type | undefined {
  const length = types[0]!.elements.length;
  if (types.some((type) => type.elements.length !== length)) return collectionOf("list", types, unification);
  const elements: Type[] = [];
  for (let index = 0; index < length; index++) {
    const unified = unifyParts(
      types.map((type) => type.elements[index]!),
      unification,
    );
    if (unified === undefined) return undefined;
    elements.push(unified);
  }
  const unified = tupleOf(elements);
  return reachable(types, unified, unification) ? unified : collectionOf("list", types, unification);
}

/** The map of all attributes, or the list of all elements. */
function collectionOf(
  kind: "map" | "list",
  types: readonly (ObjectType | TupleType)[],
  unification: Unification,
): Type | undefined {
  const parts = types.flatMap((type) =>
    type.kind === "tuple" ? type.elements : [...type.attributes.values()],
  );
  const element = unifyParts(parts, unification);
  if (element === undefined) return undefined;
  const unified = kind === "map" ? mapOf(element) : listOf(element);
  return reachable(types, unified, unification) ? unified : undefined;
}
