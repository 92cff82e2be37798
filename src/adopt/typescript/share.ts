import { type Code, codesIn, type Entry, expression, keyOf, mapParts } from "./code";
import { type Context, constantNames, distinctNames } from "./constant-names";
import type { Names } from "./names";

/** A named constant of an app. */
export interface Constant {
  readonly name: string;
  readonly value: Code;
  /** The type to declare, if it differs from the type of the value. */
  readonly type?: string | undefined;
}

/** The constants for repeated values, and a function that replaces these values in code by the names of the constants. */
export interface SharedCode {
  /** The constants. Each constant comes after the constants that its value uses. */
  readonly constants: readonly Constant[];
  /** Replaces repeated values inside a piece of code by the names of their constants. The piece as a whole is not replaced. */
  readonly replace: <C extends Code>(root: C) => C;
}

/** The minimum number of occurrences at which a value becomes a constant. */
const MANY = 3;

interface Node {
  readonly code: Code;
  readonly key: string;
  /** The keys of the values inside this value. If a value occurs several times, the list repeats its key. */
  readonly parts: readonly string[];
  readonly contexts: Context[];
}

/** Returns constants for lists and larger objects that occur more than twice. */
export function shareRepeated(roots: readonly Code[], names: Names): SharedCode {
  const nodes = new Map<string, Node>();
  const times = new Map<string, number>();
  const count = (key: string, more: number) => times.set(key, (times.get(key) ?? 0) + more);
  for (const root of roots) for (const part of partsOf(root, {}, nodes)) count(part, 1);
  const shared = new Map<string, string>();
  const found: Found[] = [];
  const appearance = new Map([...nodes.keys()].map((key, at) => [key, at]));
  // Larger values come first. If a list becomes a constant, its elements then occur only in this constant.
  for (const node of [...nodes.values()].sort((one, other) => other.key.length - one.key.length)) {
    const occurrences = times.get(node.key) ?? 0;
    const isShared = occurrences >= MANY && isWorthAName(node.code);
    if (isShared) found.push({ node, occurrences, appearance: appearance.get(node.key)! });
    for (const part of node.parts) count(part, isShared ? 1 : occurrences);
  }
  found.sort(mostUsedFirst);
  const candidates = distinctNames(found.map(({ node }) => constantNames(node.code, node.contexts)));
  for (const [at, { node }] of found.entries()) shared.set(node.key, names.take(candidates[at]!));
  const replacePart = (code: Code): Code => {
    const name = shared.get(keyOf(code));
    return name === undefined ? mapParts(code, replacePart) : expression(name);
  };
  const replace = <C extends Code>(root: C): C => mapParts(root, replacePart) as C;
  const constants = eachAfterItsParts(found, nodes).map(({ key, code }) => {
    const value = replace(code);
    return { name: shared.get(key)!, value, type: typeOf(value) };
  });
  return { constants, replace };
}

/**
 * Returns the declared type for a list whose elements have different properties; undefined for all other values, whose types
 * TypeScript infers.
 */
function typeOf(code: Code): string | undefined {
  if (code.kind !== "list" || code.elementType === undefined) return undefined;
  const shapes = code.items.map(
    (item) => item.kind === "object" && item.entries.map(([name]) => name).join(),
  );
  return new Set(shapes).size < 2 ? undefined : `${code.elementType}[]`;
}

/** Adds a value and the values inside it to `nodes`. Returns the key of the value. */
function visit(code: Code, context: Context, nodes: Map<string, Node>): string {
  const key = keyOf(code);
  const known = nodes.get(key);
  if (known !== undefined) {
    known.contexts.push(context);
    return key;
  }
  nodes.set(key, { code, key, parts: partsOf(code, context, nodes), contexts: [context] });
  return key;
}

/** Adds the values inside a value to `nodes`, and returns their keys. */
function partsOf(code: Code, context: Context, nodes: Map<string, Node>): string[] {
  if (code.kind === "list") return code.items.map((item) => visit(item, context, nodes));
  if (code.kind !== "object") return [];
  return code.entries.flatMap(([name, value]) => [
    ...(typeof name === "string" ? [] : [visit(name, context, nodes)]),
    visit(value, contextOf(name, context), nodes),
  ]);
}

const contextOf = (key: Entry[0], outer: Context): Context =>
  typeof key === "string"
    ? { ...outer, option: key }
    : { ...outer, key: key.kind === "text" ? key.text : "" };

/**
 * Returns whether a value can become a constant: a list that is not empty, or an object with several properties. A value that
 * contains the project's path does not become a constant, so that a search for the path finds the declaration.
 */
const isWorthAName = (code: Code): boolean =>
  ((code.kind === "list" && code.items.length > 0) || (code.kind === "object" && code.entries.length > 1)) &&
  ![...codesIn(code)].some(({ kind }) => kind === "own-path");

/** A repeated value that becomes a constant. */
interface Found {
  readonly node: Node;
  readonly occurrences: number;
  /** The position of the value's first occurrence in the code. */
  readonly appearance: number;
}

/** Compares values by number of occurrences, the most frequent value first. */
const mostUsedFirst = (one: Found, other: Found): number =>
  other.occurrences - one.occurrences || one.appearance - other.appearance;

/** Sorts values: lists first, then objects. Each value follows the values that it contains. */
function eachAfterItsParts(found: readonly Found[], nodes: ReadonlyMap<string, Node>): Node[] {
  const wanted = new Set(found.map(({ node }) => node));
  const ordered = new Set<Node>();
  const add = (node: Node): void => {
    for (const part of node.parts) add(nodes.get(part)!);
    if (wanted.has(node)) ordered.add(node);
  };
  for (const kind of ["list", "object"]) for (const { node } of found) if (node.code.kind === kind) add(node);
  return [...ordered];
}
