import {
  type Attribute,
  type Attributes,
  addedElements,
  attributeEntries,
  elementType,
  groupBy,
  isObject,
  isUnknown,
  sameValue,
  semanticKey,
  type Value,
  type ValueObject,
} from "../../engine";
import { isPlainText } from "../../text";
import {
  at,
  attributesOf,
  type ChangedOutside,
  type Difference,
  element,
  type Field,
  isHidden,
  isReplacementCause,
  type Line,
  type Mark,
  type ValueContext,
} from "./difference";
import { renderNamed } from "./render";

/** Compares two values. `undefined` is an absent value. */
export function compare(
  before: Value | undefined,
  after: Value | undefined,
  context: ValueContext,
): Difference {
  const mark = markOf(before, after, context);
  const forces = isReplacementCause(context) && { forces: true as const };
  if (isHidden(context)) return { mark, ...forces, kind: "hidden" };
  if (mark === "~" && shapeOf(before, after) !== shapeOf(after, before)) {
    return {
      mark,
      ...forces,
      kind: "swap",
      before: compare(before, undefined, { ...context, replaces: [] }),
      after: compare(undefined, after, { ...context, replaces: [] }),
    };
  }
  switch (mark === "-" ? shapeOf(before, after) : shapeOf(after, before)) {
    case "object": {
      const all = compareFields(before as ValueObject, after as ValueObject, context);
      const fields = all.filter(({ difference }) => difference.mark !== " ");
      const nulls = attributesOf(context) !== undefined && { nulls: true as const };
      return { mark, ...forces, kind: "fields", fields, unchanged: all.length - fields.length, ...nulls };
    }
    case "array":
      return {
        mark,
        ...forces,
        kind: "elements",
        ...compareElements(before as Value[], after as Value[], context),
      };
    case "text":
      return { mark, ...forces, kind: "lines", lines: compareLines(before as string, after as string) };
    default:
      return {
        mark,
        ...forces,
        kind: "leaf",
        ...(before !== undefined && { before: renderNamed(before, context.names) }),
        ...(after !== undefined && { after: renderNamed(after, context.names) }),
      };
  }
}

function markOf(before: Value | undefined, after: Value | undefined, { type }: ValueContext): Mark {
  if (before === undefined) return after === undefined ? " " : "+";
  if (after === undefined) return "-";
  return sameValue(before, after, type) ? " " : "~";
}

/** Returns the form in which two values are compared. If either text has several lines, both texts are compared line by line. */
function shapeOf(value: Value | undefined, other: Value | undefined): "object" | "array" | "text" | "leaf" {
  if (value === undefined || isUnknown(value)) return "leaf";
  if (Array.isArray(value)) return "array";
  if (isObject(value)) return "object";
  const texts = [value, other].filter((one) => typeof one === "string");
  const isText = texts[0] === value && texts.every(isPlainText) && texts.some((one) => one.includes("\n"));
  return isText ? "text" : "leaf";
}

/**
 * Compares the fields of two objects by name. If a schema names the fields, null is an absent value.
 *
 * @param outside the fields that were changed outside of this configuration
 */
export function compareFields(
  before: ValueObject | undefined,
  after: ValueObject | undefined,
  context: ValueContext,
  outside?: ChangedOutside,
): Field[] {
  const attributes = attributesOf(context);
  const get = (object: ValueObject | undefined, name: string): Value | undefined => {
    const value = object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
    return value === null && attributes !== undefined ? undefined : value;
  };
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter((name) => get(before, name) !== undefined || get(after, name) !== undefined)
    .sort()
    .map((name) => ({
      name,
      difference: compare(
        get(before, name),
        get(after, name),
        at(context, name, attributes?.[name], outside?.get(name)),
      ),
    }));
}

function compareElements(
  before: readonly Value[] = [],
  after: readonly Value[] = [],
  context: ValueContext,
): Pick<Extract<Difference, { kind: "elements" }>, "elements" | "unchanged"> {
  const all =
    context.type?.kind === "set" ? compareSets(before, after, context) : compareLists(before, after, context);
  const elements = all.filter(({ mark }) => mark !== " ");
  return { elements, unchanged: all.length - elements.length };
}

/** The elements that only one of two sets has; undefined unless both values are sets. */
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
 * Pairs elements. Equal elements are unchanged. A removed and an added element with the same key are one changed
 * element.
 */
function compareSets(before: readonly Value[], after: readonly Value[], context: ValueContext): Difference[] {
  const type = elementType(context.type);
  const keyOf = (value: Value) => semanticKey(value, type);
  const noteOf = whoseElement(context.outside, keyOf);
  const one = (was: Value | undefined, now: Value | undefined, index: number): Difference => {
    const inside = element(context, index, type);
    const difference =
      was !== undefined && now !== undefined ? comparePair(was, now, inside) : compare(was, now, inside);
    const note = noteOf?.(difference.mark, keyOf((was ?? now)!));
    return note === undefined ? difference : { ...difference, notes: [note] };
  };
  // Most sets of a plan are completely new.
  if (before.length === 0) return after.map((value, index) => one(undefined, value, index));
  const there = new Set(before.map(keyOf));
  const removed = addedElements(before, after, keyOf);
  const added = addedElements(after, before, keyOf).map(({ element: value }) => value);
  const pairs = pairsOf(
    removed.map(({ element: value }) => value),
    added,
    attributesOf({ type }),
  );
  const paired = new Set(pairs.values());
  return [
    ...removed.flatMap(({ element: value }, index) =>
      paired.has(value) ? [] : [one(value, undefined, index)],
    ),
    ...after.map((value, index) => one(there.has(keyOf(value)) ? value : pairs.get(value), value, index)),
  ];
}

/** Pairs each added element with the removed element of the same key, if no other element has this key. */
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
 * Returns the attributes that distinguish elements of a set: the attributes that a declaration has to choose,
 * without attributes that have defaults.
 */
const keyNames = (attributes: Attributes): string[] =>
  attributeEntries(attributes).flatMap(([name, { presence }]) =>
    presence === "optional" || presence === "required" ? [name] : [],
  );

const keyIn = (value: Value, attributes: Attributes): string =>
  JSON.stringify(
    keyNames(attributes).map((name) =>
      semanticKey((isObject(value) ? value[name] : null) ?? null, attributes[name]!.type),
    ),
  );

/** Compares two elements with the same key. The result also shows the key, to identify the changed element. */
function comparePair(before: Value, after: Value, context: ValueContext): Difference {
  const difference = compare(before, after, context);
  const attributes = attributesOf(context);
  if (difference.mark === " " || difference.kind !== "fields" || attributes === undefined) return difference;
  const names = new Set(keyNames(attributes));
  const all = compareFields(before as ValueObject, after as ValueObject, context);
  const fields = all.filter((field) => field.difference.mark !== " " || names.has(field.name));
  return { ...difference, fields, unchanged: all.length - fields.length };
}

/**
 * Returns a function that finds the elements of a set that were added, changed or removed outside. Other
 * differences come from the configuration.
 */
function whoseElement(
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

/** Finds the unchanged elements at the start and the end; those in between are compared by position. */
function compareLists(
  before: readonly Value[],
  after: readonly Value[],
  context: ValueContext,
): Difference[] {
  const type = elementType(context.type);
  return aligned(before, after, (one, other) => sameValue(one, other, type)).map(([one, other], index) =>
    compare(one, other, element(context, index, type)),
  );
}

function compareLines(before: string | undefined, after: string | undefined): Line[] {
  const split = (text: string | undefined) => text?.replace(/\n$/, "").split("\n") ?? [];
  return aligned(split(before), split(after), (one, other) => one === other).flatMap(
    ([one, other]): Line[] => {
      if (one === other) return [{ mark: " ", text: one! }];
      const removed: Line[] = one === undefined ? [] : [{ mark: "-", text: one }];
      const added: Line[] = other === undefined ? [] : [{ mark: "+", text: other }];
      return [...removed, ...added];
    },
  );
}

function aligned<T>(
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
