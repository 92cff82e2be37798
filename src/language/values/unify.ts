import type { IsConvertible } from "./conversion-type";
import { typeToJson } from "./type-json";
import {
  type CollectionType,
  DYNAMIC,
  isPrimitive,
  listOf,
  mapOf,
  type ObjectType,
  objectOf,
  pairedParts,
  type TupleType,
  type Type,
  tupleOf,
} from "./types";

/**
 * The types in the order in which to try them as the common one, each once: the more general first, otherwise
 * in their order. The order is partial, hence the topological sort.
 */
function preferenceOrder(all: readonly Type[]): Type[] {
  // Most elements of a long list have one type.
  const types = [
    ...new Map([...all].reverse().map((type) => [JSON.stringify(typeToJson(type)), type])).values(),
  ];
  types.reverse();
  const later: number[][] = types.map(() => []);
  const waiting = types.map(() => 0);
  for (let i = 0; i < types.length - 1; i++) {
    for (let j = i + 1; j < types.length; j++) {
      const order = compareGenerality(types[i]!, types[j]!);
      if (order === 0) continue;
      const [first, second] = order < 0 ? [i, j] : [j, i];
      later[first]!.push(second);
      waiting[second]! += 1;
    }
  }
  const ready = [...types.keys()].filter((index) => waiting[index] === 0);
  for (const index of ready) {
    for (const next of later[index]!) {
      waiting[next]! -= 1;
      if (waiting[next] === 0) ready.push(next);
    }
  }
  return ready.map((index) => types[index]!);
}

/** Negative if the first is more general, positive if the second is, zero otherwise. */
function compareGenerality(left: Type, right: Type): number {
  if (left.kind === "dynamic" || right.kind === "dynamic") {
    return Number(left.kind === "dynamic") - Number(right.kind === "dynamic");
  }
  if (isPrimitive(left) && isPrimitive(right)) {
    return Number(right.kind === "string") - Number(left.kind === "string");
  }
  if (left.kind === right.kind)
    return agreed(pairedParts(left, right)?.map(([one, other]) => compareGenerality(one, other)) ?? []);
  return RANKED.has(`${left.kind} ${right.kind}`) ? -1 : RANKED.has(`${right.kind} ${left.kind}`) ? 1 : 0;
}

/** The more general, then the less general. */
const RANKED: ReadonlySet<string> = new Set(["list set", "tuple set", "list tuple", "map object"]);

/** Conflicting parts leave the order undecided. */
function agreed(orders: readonly number[]): number {
  const hasBefore = orders.some((order) => order < 0);
  const hasAfter = orders.some((order) => order > 0);
  return hasBefore === hasAfter ? 0 : hasBefore ? -1 : 1;
}

/** The common type that all of these convert to, or undefined. Element types are unified recursively. */
export function unifyTypes(types: readonly Type[], isConvertible: IsConvertible): Type | undefined {
  if (types.length === 0) return undefined;
  const kinds = new Set(types.map((type) => type.kind));
  const isOpen = kinds.delete("dynamic");
  if (kinds.size === 1) {
    const [kind] = kinds;
    if (kind === "list" || kind === "set" || kind === "map") {
      return isOpen ? DYNAMIC : unifyCollections(types as CollectionType[], isConvertible);
    }
    if (kind === "object") return isOpen ? DYNAMIC : unifyObjects(types as ObjectType[], isConvertible);
    if (kind === "tuple") return isOpen ? DYNAMIC : unifyTuples(types as TupleType[], isConvertible);
  }
  if (kinds.has("object") && kinds.has("tuple")) return undefined;
  const mixed = kinds.size === 2 ? unifyMixed(types, kinds, isConvertible) : undefined;
  return mixed ?? preferred(types, isConvertible);
}

/** Objects among maps count as maps, tuples among lists as lists. */
function unifyMixed(
  types: readonly Type[],
  kinds: ReadonlySet<string>,
  isConvertible: IsConvertible,
): Type | undefined {
  const pairs = [
    ["map", "object"],
    ["list", "tuple"],
  ] as const;
  for (const [collection, structural] of pairs) {
    if (!kinds.has(collection) || !kinds.has(structural)) continue;
    const parts = types.filter((type) => type.kind === structural);
    const common = collectionOf(collection, parts as (ObjectType | TupleType)[], isConvertible);
    if (common === undefined) return undefined;
    const replaced = types.map((type) => (type.kind === structural ? common : type));
    const unified = unifyTypes(replaced, isConvertible);
    return unified?.kind === collection ? unified : undefined;
  }
  return undefined;
}

/** The first type, in the order of preference, that all others convert to. */
const preferred = (types: readonly Type[], isConvertible: IsConvertible): Type | undefined =>
  preferenceOrder(types).find((wanted) => isReachable(types, wanted, isConvertible));

const isReachable = (types: readonly Type[], wanted: Type, isConvertible: IsConvertible): boolean =>
  types.every((type) => isConvertible(type, wanted));

function unifyCollections(types: readonly CollectionType[], isConvertible: IsConvertible): Type | undefined {
  const element = unifyTypes(
    types.map((type) => type.element),
    isConvertible,
  );
  if (element === undefined) return undefined;
  const unified: Type = { kind: types[0]!.kind, element };
  return isReachable(types, unified, isConvertible) ? unified : undefined;
}

function unifyObjects(types: readonly ObjectType[], isConvertible: IsConvertible): Type | undefined {
  const names = [...types[0]!.attributes.keys()];
  const isAlike = types.every(
    (type) => type.attributes.size === names.length && names.every((name) => type.attributes.has(name)),
  );
  if (!isAlike) return collectionOf("map", types, isConvertible);
  const attributes = new Map<string, Type>();
  for (const name of names) {
    const unified = unifyTypes(
      types.map((type) => type.attributes.get(name)!),
      isConvertible,
    );
    if (unified === undefined) return undefined;
    attributes.set(name, unified);
  }
  const unified = objectOf(attributes);
  return isReachable(types, unified, isConvertible) ? unified : collectionOf("map", types, isConvertible);
}

function unifyTuples(types: readonly TupleType[], isConvertible: IsConvertible): Type | undefined {
  const length = types[0]!.elements.length;
  if (types.some((type) => type.elements.length !== length))
    return collectionOf("list", types, isConvertible);
  const elements: Type[] = [];
  for (let index = 0; index < length; index++) {
    const unified = unifyTypes(
      types.map((type) => type.elements[index]!),
      isConvertible,
    );
    if (unified === undefined) return undefined;
    elements.push(unified);
  }
  const unified = tupleOf(elements);
  return isReachable(types, unified, isConvertible) ? unified : collectionOf("list", types, isConvertible);
}

/** The map of all attributes, or the list of all elements. */
function collectionOf(
  kind: "map" | "list",
  types: readonly (ObjectType | TupleType)[],
  isConvertible: IsConvertible,
): Type | undefined {
  const parts = types.flatMap((type) =>
    type.kind === "tuple" ? type.elements : [...type.attributes.values()],
  );
  const element = unifyTypes(parts, isConvertible);
  if (element === undefined) return undefined;
  const unified = kind === "map" ? mapOf(element) : listOf(element);
  return isReachable(types, unified, isConvertible) ? unified : undefined;
}
