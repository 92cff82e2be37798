import { type Attribute, type Attributes, isObject, sameValue, type Value } from "../../engine";
import { terraformText } from "../model/source-text";
import { appended, type Edit, indentAt, removed } from "../typescript/edit";
import { keyOfProperty, nodeOf, nodesOf, type SyntaxNode } from "../typescript/source-tree";

/** A value that a source contains as a literal: a scalar, a list or an object. */
export interface Literal {
  readonly start: number;
  readonly end: number;
  readonly scalar?: string | number | boolean | null;
  /** The member of an enumeration, such as `AccessLevel.MAINTAINER`. */
  readonly member?: string;
  readonly items?: readonly Literal[];
  readonly entries?: readonly LiteralEntry[];
}

export interface LiteralEntry {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly value: Literal;
}

/** An attribute that a source sets. `value` is undefined if the source does not contain the value as a literal. */
export type OpenEntry = Omit<LiteralEntry, "value"> & { readonly value: Literal | undefined };

/** The reason why Steward does not edit a value in the code, such as the expression from which the value comes. */
export type Left = string;

/** Converts the name of an attribute to its spelling in a source, such as camel case in TypeScript. */
type Spelling = (attribute: string) => string;

/** Returns the literal of a TypeScript node. Undefined if the value is computed or comes from elsewhere. */
export function literalOf(node: SyntaxNode | undefined): Literal | undefined {
  if (node === undefined) return undefined;
  const { start, end } = node;
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return { start, end, scalar: node["value"] as string | number | boolean };
    case "NullLiteral":
      return { start, end, scalar: null };
    case "TemplateLiteral": {
      const [only] = nodesOf(node, "quasis");
      const { cooked } = Object(only?.["value"]) as { readonly cooked?: string };
      return nodesOf(node, "expressions").length === 0 && cooked !== undefined
        ? { start, end, scalar: cooked }
        : undefined;
    }
    case "UnaryExpression": {
      const number = literalOf(nodeOf(node, "argument"))?.scalar;
      return node["operator"] === "-" && typeof number === "number"
        ? { start, end, scalar: -number }
        : undefined;
    }
    case "MemberExpression": {
      const [of, name] = [nodeOf(node, "object"), nodeOf(node, "property")];
      return node["computed"] !== true && of?.type === "Identifier"
        ? { start, end, member: `${String(of["name"])}.${String(name?.["name"])}` }
        : undefined;
    }
    case "ArrayExpression": {
      const items = (node["elements"] as readonly SyntaxNode[]).map((one) => literalOf(one ?? undefined));
      return items.every((one) => one !== undefined) ? { start, end, items } : undefined;
    }
    case "ObjectExpression": {
      const entries = nodesOf(node, "properties").map(entryOf);
      return entries.every((one) => one !== undefined) ? { start, end, entries } : undefined;
    }
    default:
      return undefined;
  }
}

function entryOf(property: SyntaxNode): LiteralEntry | undefined {
  const key = keyOfProperty(property);
  const value = property["shorthand"] === true ? undefined : literalOf(nodeOf(property, "value"));
  return key === undefined || value === undefined
    ? undefined
    : { key, value, start: property.start, end: property.end };
}

/**
 * Returns whether a literal equals a value of an attribute. The order of a set does not matter, and an omitted property
 * equals null.
 */
export function isSpelledAs(
  literal: Literal,
  attribute: Attribute,
  value: Value,
  spelling: Spelling,
): boolean {
  const { type, text } = attribute;
  if (Array.isArray(value) && literal.items !== undefined)
    return unmatched(literal.items, attribute, value, spelling).isEqual;
  if (isObject(value))
    return (
      "nested" in type && type.kind === "single" && isObjectSpelledAs(literal, type.nested, value, spelling)
    );
  if (literal.member !== undefined) {
    const { values } = text;
    return (
      values?.members.some((one) => `${values.name}.${one.name}` === literal.member && one.value === value) ??
      false
    );
  }
  return literal.scalar !== undefined && isSameScalar(literal.scalar, value);
}

const isSameScalar = (scalar: Exclude<Literal["scalar"], undefined>, value: Value): boolean =>
  typeof value === "string" ? scalar === terraformText(value) : sameValue(scalar, value);

/**
 * Compares the items of a list in the source with the elements of a value. Returns the items and the elements without a match.
 */
export function unmatched(
  items: readonly Literal[],
  attribute: Attribute,
  value: readonly Value[],
  spelling: Spelling,
) {
  const { type } = attribute;
  const left = [...value];
  const is = (item: Literal, one: Value): boolean =>
    "nested" in type
      ? isObject(one) && isObjectSpelledAs(item, type.nested, one, spelling)
      : item.scalar !== undefined && isSameScalar(item.scalar, one);
  const superfluous = items.filter((item) => {
    const at = left.findIndex((one) => is(item, one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { superfluous, missing: left, isEqual: superfluous.length + left.length === 0 };
}

/** Returns the edits that replace items of a list. Unchanged items keep their text. */
export function itemEdits<T>(
  source: string,
  items: readonly Literal[],
  superfluous: readonly Literal[],
  added: readonly T[],
  print: (one: T, indent: string) => string,
): Edit[] {
  const replaced = superfluous.slice(0, added.length);
  const more = added.slice(replaced.length);
  const edits = [
    ...replaced.map(({ start, end }, at) => ({
      start,
      end,
      text: print(added[at]!, indentAt(source, start)),
    })),
    ...superfluous.slice(replaced.length).map((item) => removed(source, item)),
  ];
  const parts = more.map((one) => (indent: string) => print(one, indent));
  return more.length === 0 ? edits : [...edits, appended(source, items.at(-1)!, parts)];
}

function isObjectSpelledAs(literal: Literal, attributes: Attributes, value: Value, spelling: Spelling) {
  if (literal.entries === undefined || !isObject(value)) return false;
  const names = new Map(Object.keys(attributes).map((name) => [spelling(name), name]));
  const given = new Map(literal.entries.map((entry) => [names.get(entry.key), entry.value]));
  return (
    !given.has(undefined) &&
    Object.entries(attributes).every(([name, attribute]) => {
      const one = value[name] ?? null;
      const spelled = given.get(name);
      return spelled === undefined
        ? isFilledIn(attribute, one)
        : isSpelledAs(spelled, attribute, one, spelling);
    })
  );
}

/** Returns whether an omitted attribute gets this value as its default. */
const isFilledIn = ({ presence, text: { default: filledIn } }: Attribute, value: Value): boolean =>
  value === null ||
  presence === "computed" ||
  presence === "optionalComputed" ||
  (filledIn !== undefined && sameValue(value, filledIn as Value));
