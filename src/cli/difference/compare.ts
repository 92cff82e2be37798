import {
  type Attribute,
  addedElements,
  elementType,
  isObject,
  isUnknown,
  sameValue,
  semanticKey,
  type Value,
  type ValueObject,
} from "../../engine";
import { isPlainText } from "../printing/printable";
import type { Difference, ElementDifference, Field, Line, Mark } from "./difference";
import { at, attributesOf, element, forcesReplacement, isHidden, type ValueContext } from "./value-context";

/** Compares two values. `undefined` is an absent value. */
export function compare(
  before: Value | undefined,
  after: Value | undefined,
  context: ValueContext,
): Difference {
  const mark = markOf(before, after, context);
  const common = { mark, forcesReplacement: forcesReplacement(context) };
  if (isHidden(context)) return { ...common, kind: "hidden" };
  if (mark === "~" && shapeOf(before, after) !== shapeOf(after, before)) {
    return {
      ...common,
      kind: "swap",
      before: compare(before, undefined, { ...context, replaces: [] }),
      after: compare(undefined, after, { ...context, replaces: [] }),
    };
  }
  switch (mark === "-" ? shapeOf(before, after) : shapeOf(after, before)) {
    case "object": {
      const fields = compareFields(before as ValueObject, after as ValueObject, context);
      return { ...common, kind: "fields", fields, hasSchema: attributesOf(context) !== undefined };
    }
    case "array":
      return {
        ...common,
        kind: "elements",
        ...compareElements(before as Value[], after as Value[], context),
      };
    case "text":
      return { ...common, kind: "lines", lines: compareLines(before as string, after as string) };
    default:
      return { ...common, kind: "leaf", before, after, ...(context.names && { names: context.names }) };
  }
}

function markOf(before: Value | undefined, after: Value | undefined, { type }: ValueContext): Mark {
  if (before === undefined) return after === undefined ? " " : "+";
  if (after === undefined) return "-";
  return sameValue(before, after, type) ? " " : "~";
}

/** How two values are compared. If either text has several lines, both are compared line by line. */
function shapeOf(value: Value | undefined, other: Value | undefined): "object" | "array" | "text" | "leaf" {
  if (value === undefined || isUnknown(value)) return "leaf";
  if (Array.isArray(value)) return "array";
  if (isObject(value)) return "object";
  const texts = [value, other].filter((one) => typeof one === "string");
  const isText = texts[0] === value && texts.every(isPlainText) && texts.some((one) => one.includes("\n"));
  return isText ? "text" : "leaf";
}

/** Compares the fields of two objects by name. If a schema names the fields, null is an absent value. */
export function compareFields(
  before: ValueObject | undefined,
  after: ValueObject | undefined,
  context: ValueContext,
): Field[] {
  const attributes = attributesOf(context);
  const get = (object: ValueObject | undefined, name: string): Value | undefined => {
    const value = object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
    return value === null && attributes !== undefined ? undefined : value;
  };
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .sort()
    .filter((name) => get(before, name) !== undefined || get(after, name) !== undefined)
    .map((name) => ({
      name,
      difference: compare(get(before, name), get(after, name), at(context, name, attributes?.[name])),
    }));
}

function compareElements(
  before: readonly Value[] = [],
  after: readonly Value[] = [],
  context: ValueContext,
): Pick<Extract<Difference, { kind: "elements" }>, "elements" | "unchanged" | "keyOf"> {
  const type = elementType(context.type);
  const keyOf = context.type?.kind === "set" ? (value: Value) => semanticKey(value, type) : undefined;
  const all: readonly ElementDifference[] =
    keyOf === undefined ? compareLists(before, after, context) : compareSets(before, after, context, keyOf);
  const elements = all.filter(({ mark }) => mark !== " ");
  return { elements, unchanged: all.length - elements.length, ...(keyOf && { keyOf }) };
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

function compareSets(
  before: readonly Value[],
  after: readonly Value[],
  context: ValueContext,
  keyOf: (value: Value) => string,
): ElementDifference[] {
  const type = elementType(context.type);
  const there = new Set(before.map(keyOf));
  const inside = (index: number) => element(context, index, type);
  return [
    ...addedElements(before, after, keyOf).map((one, index) => ({
      ...compare(one.element, undefined, inside(index)),
      key: keyOf(one.element),
    })),
    ...after.map((one, index) => {
      const key = keyOf(one);
      return { ...compare(there.has(key) ? one : undefined, one, inside(index)), key };
    }),
  ];
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
  same: (one: T, other: T) => boolean,
): [T | undefined, T | undefined][] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && same(before[start]!, after[start]!)) start += 1;
  let end = 0;
  while (end < shorter - start && same(before.at(-1 - end)!, after.at(-1 - end)!)) end += 1;
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
