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
 * Returns the types in the order in which to try them as the common type, each once. More general types come first,
 * otherwise the given order holds. The order is partial, so the sort is topological.
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
  if (RANKED.has(`${left.kind} ${right.kind}`)) return -1;
  return RANKED.has(`${right.kind} ${left.kind}`) ? 1 : 0;
}

/** The more general, then the less general. */
const RANKED: ReadonlySet<string> = new Set(["list set", "tuple set", "list tuple", "map object"]);

/** Conflicting parts leave the order undecided. */
function agreed(orders: readonly number[]): number {
  const hasBefore = orders.some((order) => order < 0);
  const hasAfter = orders.some((order) => order > 0);
  if (hasBefore === hasAfter) return 0;
  return hasBefore ? -1 : 1;
}

/** Finds common types. The conversion test is injected, because conversions need common types too. */
export class Unification {
  constructor(private readonly isConvertible: (from: Type, to: Type) => boolean) {}

  /** The type that all of these convert to, or undefined. Element types are unified recursively. */
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

  /** A type, if all of these convert to it. */
  private ifReachable(types: readonly Type[], wanted: Type): Type | undefined {
    return types.every((type) => this.isConvertible(type, wanted)) ? wanted : undefined;
  }

  /** Objects among maps count as maps, tuples among lists as lists. */
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
   * Unifies types of one shape part by part. Other types, and types without a common one, are unified as a
   * collection.
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

  /** The map of all attributes of objects, or the list of all elements of tuples. */
  private asCollection(types: readonly Type[]): Type | undefined {
    const element = this.commonType(types.flatMap(partsOf));
    return element && this.ifReachable(types, (types[0]!.kind === "object" ? mapOf : listOf)(element));
  }
}
