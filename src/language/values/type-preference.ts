import { typeToJson } from "./type-json";
import { type CollectionType, isPrimitive, type ObjectType, type TupleType, type Type } from "./types";

/**
 * The types in the order in which to try them as the common one, each once: the more general first, otherwise
 * in their order. The order is partial, hence the topological sort.
 */
export function preferenceOrder(all: readonly Type[]): Type[] {
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
  if (left.kind === right.kind) return compareAlike(left, right);
  return RANKED.has(`${left.kind} ${right.kind}`) ? -1 : RANKED.has(`${right.kind} ${left.kind}`) ? 1 : 0;
}

/** The more general, then the less general. */
const RANKED: ReadonlySet<string> = new Set(["list set", "tuple set", "list tuple", "map object"]);

function compareAlike(left: Type, right: Type): number {
  switch (left.kind) {
    case "list":
    case "set":
    case "map":
      return compareGenerality(left.element, (right as CollectionType).element);
    case "object": {
      const { attributes } = right as ObjectType;
      if (left.attributes.size !== attributes.size) return 0;
      if ([...left.attributes.keys()].some((name) => !attributes.has(name))) return 0;
      return agreed(
        [...left.attributes].map(([name, type]) => compareGenerality(type, attributes.get(name)!)),
      );
    }
    case "tuple": {
      const { elements } = right as TupleType;
      if (left.elements.length !== elements.length) return 0;
      return agreed(left.elements.map((type, index) => compareGenerality(type, elements[index]!)));
    }
    default:
      return 0;
  }
}

/** Conflicting parts leave the order undecided. */
function agreed(orders: readonly number[]): number {
  const first = orders.some((order) => order < 0);
  const second = orders.some((order) => order > 0);
  return first === second ? 0 : first ? -1 : 1;
}
