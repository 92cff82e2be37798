import {
  type CollectionType,
  DYNAMIC,
  isPrimitive,
  listOf,
  mapOf,
  type ObjectType,
  objectOf,
  pairedParts,
  partsOf,
  type TupleType,
  type Type,
  tupleOf,
  typeToJson,
} from "./types";

/**
 * Returns the types without duplicates, in the order in which to try them as the common type. A more general type comes before a
 * less general type; otherwise, the given order stays. The sort is topological, because not every two types can be compared.
 */
function preferenceOrder(all: readonly Type[]): Type[] {
  // Duplicates are removed before the sort, because most elements of a long list have one type.
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

/** Returns a negative number if the first type is more general, a positive number if the second type is, and zero otherwise. */
function compareGenerality(left: Type, right: Type): number {
  if (left.kind === "dynamic" || right.kind === "dynamic") {
    return Number(left.kind === "dynamic") - Number(right.kind === "dynamic");
  }
  if (isPrimitive(left) && isPrimitive(right)) {
    return Number(right.kind === "string") - Number(left.kind === "string");
  }
  if (left.kind === right.kind)
    return agreed(pairedParts(left, right)?.map(([one, other]) => compareGenerality(one, other)) ?? []);
  if (RANKED.has(`${left.kind} ${right.kind}`)) return -1;
  return RANKED.has(`${right.kind} ${left.kind}`) ? 1 : 0;
}

/** Pairs of kinds of types. The first kind of a pair is more general. */
const RANKED: ReadonlySet<string> = new Set(["list set", "tuple set", "list tuple", "map object"]);

/** Returns the order of two types from the orders of their parts; zero if the parts contradict each other. */
function agreed(orders: readonly number[]): number {
  const hasBefore = orders.some((order) => order < 0);
  const hasAfter = orders.some((order) => order > 0);
  if (hasBefore === hasAfter) return 0;
  return hasBefore ? -1 : 1;
}

/**
 * Finds the common type of several types. `isConvertible` is a parameter, because the file with conversions imports this file,
 * and an import back is not allowed.
 */
export class Unification {
  constructor(private readonly isConvertible: (from: Type, to: Type) => boolean) {}

  /**
   * Returns the type to which all these types can be converted; undefined if there is none. The types of elements are found
   * recursively.
   */
  commonType(types: readonly Type[]): Type | undefined {
    if (types.length === 0) return undefined;
    const kinds = new Set(types.map((type) => type.kind));
    const isOpen = kinds.delete("dynamic");
    const [kind] = kinds;
    if (kinds.size === 1 && kind !== "string" && kind !== "number" && kind !== "bool") {
      if (isOpen) return DYNAMIC;
      return kind === "object" || kind === "tuple"
        ? this.ofStructures(types as (ObjectType | TupleType)[])
        : this.ofCollections(types as CollectionType[]);
    }
    if (kinds.has("object") && kinds.has("tuple")) return undefined;
    const mixed = kinds.size === 2 ? this.ofMixed(types, kinds) : undefined;
    return mixed ?? preferenceOrder(types).find((wanted) => this.ifReachable(types, wanted));
  }

  /** Returns the wanted type if all these types can be converted to it; otherwise undefined. */
  private ifReachable(types: readonly Type[], wanted: Type): Type | undefined {
    return types.every((type) => this.isConvertible(type, wanted)) ? wanted : undefined;
  }

  /**
   * Returns the common type of maps and objects, or of lists and tuples; undefined if there is none. Objects count as maps, and
   * tuples as lists.
   */
  private ofMixed(types: readonly Type[], kinds: ReadonlySet<string>): Type | undefined {
    const structural = kinds.has("map") && kinds.has("object") ? "object" : "tuple";
    const collection = structural === "object" ? "map" : "list";
    if (!kinds.has(collection) || !kinds.has(structural)) return undefined;
    const common = this.asCollection(types.filter((type) => type.kind === structural));
    if (common === undefined) return undefined;
    const unified = this.commonType(types.map((type) => (type.kind === structural ? common : type)));
    return unified?.kind === collection ? unified : undefined;
  }

  private ofCollections(types: readonly CollectionType[]): Type | undefined {
    const element = this.commonType(types.map((type) => type.element));
    return element && this.ifReachable(types, { kind: types[0]!.kind, element });
  }

  /**
   * Returns the common type of objects, or of tuples; undefined if there is none. If all have equal attribute names or lengths,
   * each part must have a common type. If names or lengths differ, or if a type can't be converted, the result is a map or
   * a list.
   */
  private ofStructures(types: readonly (ObjectType | TupleType)[]): Type | undefined {
    const first = types[0]!;
    if (!types.every((type) => pairedParts(first, type) !== undefined)) return this.asCollection(types);
    const all = types.map(partsOf);
    const parts = all[0]!.map((_, index) => this.commonType(all.map((one) => one[index]!)));
    if (!parts.every((part) => part !== undefined)) return undefined;
    const unified =
      first.kind === "tuple"
        ? tupleOf(parts)
        : objectOf(new Map([...first.attributes.keys()].map((name, index) => [name, parts[index]!])));
    return this.ifReachable(types, unified) ?? this.asCollection(types);
  }

  /**
   * Returns the type of a map for the attributes of all these objects, or of a list for the elements of all these tuples.
   * Undefined if these parts have no common type.
   */
  private asCollection(types: readonly Type[]): Type | undefined {
    const element = this.commonType(types.flatMap(partsOf));
    return element && this.ifReachable(types, (types[0]!.kind === "object" ? mapOf : listOf)(element));
  }
}
