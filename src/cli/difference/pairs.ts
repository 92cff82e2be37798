import {
  type Attribute,
  type Attributes,
  type AttributeType,
  addedElements,
  attributeEntries,
  elementType,
  groupBy,
  isObject,
  semanticKey,
  type Value,
} from "../../engine";
import { attributesOf, type Mark, type ValueContext } from "./difference";

// This file decides which elements of two lists or sets are compared with each other.

/** Returns the elements that only one of two sets contains; undefined if one of the two values is not a set. */
export function setDifference(
  declared: Value,
  live: Value,
  attribute: Attribute | undefined,
): { readonly added: Value[]; readonly missing: Value[] } | undefined {
  if (attribute?.type.kind !== "set" || !Array.isArray(declared) || !Array.isArray(live)) return undefined;
  const type = elementType(attribute.type);
  const beyond = (one: readonly Value[], other: readonly Value[]) =>
    addedElements(one, other, (value) => semanticKey(value, type)).map(({ element: value }) => value);
  return { added: beyond(live, declared), missing: beyond(declared, live) };
}

/**
 * The two sides of one compared element: before and after a change. `was` is undefined for an added element, and `now` for a
 * removed element.
 */
export interface ElementPair {
  readonly was: Value | undefined;
  readonly now: Value | undefined;
  readonly index: number;
}

/**
 * Pairs the elements of two sets. Equal elements form a pair. A removed and an added element with the same key also form a
 * pair, because the element changed.
 *
 * @param type the type of the elements
 */
export function pairSets(
  before: readonly Value[],
  after: readonly Value[],
  type: AttributeType | undefined,
): ElementPair[] {
  // A shortcut for an added set, because most sets in a plan are added as a whole.
  if (before.length === 0) return after.map((now, index) => ({ was: undefined, now, index }));
  const keyOf = (value: Value) => semanticKey(value, type);
  const there = new Set(before.map(keyOf));
  const removed = addedElements(before, after, keyOf).map(({ element: value }) => value);
  const added = addedElements(after, before, keyOf).map(({ element: value }) => value);
  const pairs = pairsOf(removed, added, attributesOf({ type }));
  const paired = new Set(pairs.values());
  return [
    ...removed.flatMap((was, index) => (paired.has(was) ? [] : [{ was, now: undefined, index }])),
    ...after.map((now, index) => ({ was: there.has(keyOf(now)) ? now : pairs.get(now), now, index })),
  ];
}

/**
 * Pairs each added element with the removed element that has the same key. An element stays unpaired if another element has
 * its key too.
 */
function pairsOf(
  removed: readonly Value[],
  added: readonly Value[],
  attributes: Attributes | undefined,
): ReadonlyMap<Value, Value> {
  if (attributes === undefined) return new Map();
  const [was, now] = [removed, added].map((elements) =>
    groupBy(elements, (value) => keyIn(value, attributes)),
  );
  return new Map(
    [...now!].flatMap(([key, [value, ...others]]) => {
      const [earlier, ...more] = was!.get(key) ?? [];
      const isOne = value !== undefined && earlier !== undefined && others.length + more.length === 0;
      return isOne ? [[value, earlier] as const] : [];
    }),
  );
}

/**
 * Returns the attributes that form the key of an element in a set. These are the required attributes, and the optional
 * attributes without a default.
 */
export const keyNames = (attributes: Attributes): string[] =>
  attributeEntries(attributes).flatMap(([name, { presence }]) =>
    presence === "optional" || presence === "required" ? [name] : [],
  );

const keyIn = (value: Value, attributes: Attributes): string =>
  JSON.stringify(
    keyNames(attributes).map((name) =>
      semanticKey((isObject(value) ? value[name] : null) ?? null, attributes[name]!.type),
    ),
  );

/**
 * Returns a function that returns a note if an element of a set was added, changed or removed outside of this configuration.
 * For a difference that comes from the configuration, the function returns undefined.
 */
export function whoseElement(
  outside: ValueContext["outside"],
  keyOf: (value: Value) => string,
): ((mark: Mark, key: string) => string | undefined) | undefined {
  const { applied, live } = outside ?? {};
  if (!Array.isArray(applied) || !Array.isArray(live)) return undefined;
  const [appliedKeys, liveKeys] = [applied, live].map(
    (elements: readonly Value[]) => new Set(elements.map(keyOf)),
  );
  return (mark, key) => {
    if (mark === "-" && !appliedKeys!.has(key)) return "added outside";
    if (mark === "~" && !appliedKeys!.has(key)) return "changed outside";
    return mark === "+" && appliedKeys!.has(key) && !liveKeys!.has(key) ? "removed outside" : undefined;
  };
}

/**
 * Pairs the items of two lists. Equal items at the start and at the end form pairs; the items between them are paired by
 * position.
 */
export function pairLists<T>(
  before: readonly T[],
  after: readonly T[],
  isSame: (one: T, other: T) => boolean,
): [T | undefined, T | undefined][] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start]!, after[start]!)) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end)!, after.at(-1 - end)!)) end += 1;
  const pairs: [T | undefined, T | undefined][] = [];
  for (let index = 0; index < start; index++) pairs.push([before[index], after[index]]);
  const middle = Math.max(before.length, after.length) - start - end;
  for (let index = start; index < start + middle; index++) {
    pairs.push([
      index < before.length - end ? before[index] : undefined,
      index < after.length - end ? after[index] : undefined,
    ]);
  }
  for (let index = end; index > 0; index--) pairs.push([before.at(-index), after.at(-index)]);
  return pairs;
}
