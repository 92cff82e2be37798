import type { JsonNumber } from "../json";
import { memoize } from "./helpers";

/**
 * The type of `UNKNOWN`, which replaces a value that is known only after apply. All other values that a provider
 * receives or returns are JSON values; a set is an array in any order.
 */
export class Unknown {
  /** Because of this private member, TypeScript does not accept other objects as `Unknown`. */
  readonly #isUnknown = true;
  toString(): string {
    return this.#isUnknown ? "(known after apply)" : "";
  }
}

export const UNKNOWN = new Unknown();

export type Value = null | boolean | number | string | JsonNumber | Unknown | readonly Value[] | ValueObject;
export interface ValueObject {
  readonly [name: string]: Value;
}

/** One value of an enumeration, with its names. */
interface EnumerationMember<T> {
  readonly value: T;
  /** The name of the value in the constructs' enumeration, such as `MINIMAL_ACCESS`. */
  readonly name: string;
  /** The name of the value in texts, such as `Minimal access`. */
  readonly title: string;
}

/** A list of named values, such as levels. The constructs export the list as an enumeration. */
export interface Enumeration<T = unknown> {
  readonly name: string;
  readonly description: string;
  readonly members: readonly EnumerationMember<T>[];
  /**
   * The complete enumeration, if this enumeration is a subset of it. A service can also return values that are not
   * in the subset.
   */
  readonly whole?: Enumeration<T>;
}

/** Returns a subset of an enumeration. */
export const subsetOf = <T>(all: Enumeration<T>, ...values: readonly T[]): Enumeration<T> => ({
  ...all,
  members: all.members.filter(({ value }) => values.includes(value)),
  whole: all.whole ?? all,
});

/**
 * Returns the title of a value, also of a value that is not in the subset. Returns undefined if the enumeration
 * does not contain the value, or if the title only repeats the value.
 */
export function titleOf({ members, whole }: Enumeration, wanted: unknown): string | undefined {
  const title = (whole?.members ?? members).find(({ value }) => value === wanted)?.title;
  return title?.toLowerCase() === String(wanted).toLowerCase() ? undefined : title;
}

/** Formats the values of an enumeration, with their names, for descriptions. */
export const describeValues = <T>({ members }: Enumeration<T>): string => {
  const items = members.map(({ value, title }) => `\`${value}\`${title === value ? "" : ` (${title})`}`);
  return `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
};

/** Returns the `values` and `check` of an attribute that accepts only these values. */
export const valuesOf = <T extends string | number>(
  values: Enumeration<T>,
): { readonly values: Enumeration<T>; check(given: T): string | undefined } => ({
  values,
  check: (given) =>
    values.members.some(({ value }) => value === given)
      ? undefined
      : `${JSON.stringify(given)} is not a valid value. Use one of ${values.members.map(inError).join(", ")}.`,
});

const inError = <T>({ value, title }: EnumerationMember<T>): string =>
  title === value ? String(value) : `${value} (${title})`;

/** The kind of a referenced object, such as `user`; the provider defines the kinds. */
export type ReferenceKind = string;

/**
 * A resolved reference: the id of an object, and its `path`, which users write instead of the id. `path` is a full path
 * or a username. `path` is absent if the service did not return a path.
 */
export interface Reference {
  readonly id: number;
  readonly path?: string;
}

/** The syntax of paths of one kind. */
export interface PathSyntax {
  readonly pattern: RegExp;
  /** The way to write a path of this kind, for messages: `its full path, such as "acme/web-shop"`. */
  readonly hint: string;
}

export type PathSyntaxes = Readonly<Record<ReferenceKind, PathSyntax>>;

/**
 * The effect if a configuration omits an attribute:
 * - `required`: it can't be omitted.
 * - `optional`: the service must have no value; a live value is drift and is cleared.
 * - `optionalComputed`: a setting that always exists; if omitted, it is neither sent nor compared, and plans show its
 * live value.
 * - `managed`: a set owned as a whole; if omitted, it is not managed; `[]` empties it.
 * - `configOnly`: the service never returns it; it is stored as declared and never compared.
 * - `computed`: only the service sets it.
 */
export type Presence = "required" | "optionalComputed" | "optional" | "managed" | "configOnly" | "computed";

/**
 * The type of an attribute's value. The elements of a collection are primitives or, with `nested`, objects
 * with their own attributes.
 */
export type AttributeType =
  /** A text. `normalize` returns the same result for all equivalent spellings. */
  | { readonly kind: "string"; readonly normalize?: (text: string) => string }
  | { readonly kind: "number" | "bool" }
  /** A value of any type, together with its type: `{ value, type }`. */
  | { readonly kind: "dynamic" }
  | { readonly kind: "reference"; readonly to: ReferenceKind }
  | { readonly kind: "set" | "list" | "map"; readonly element: PrimitiveType }
  | { readonly kind: "set" | "list" | "single"; readonly nested: Attributes };

export type PrimitiveType = Extract<AttributeType, { kind: "string" | "number" | "bool" | "reference" }>;

/**
 * The documentation and rules of an attribute. `T` is the type of the attribute's value, and `E` the type of an
 * element.
 */
export interface AttributeText<T, E = never> {
  /**
   * The description as Markdown: the effect, the values, who may change the attribute, and which changes the
   * service makes itself.
   */
  readonly description: string;
  /** Whether a change of the attribute replaces the object. */
  readonly replaces?: boolean;
  /** The reason for the deprecation, and the replacement. */
  readonly deprecated?: string;
  readonly sensitive?: boolean;
  /** All valid values, if they are few and have names. */
  readonly values?: Enumeration<T>;
  /** The value that a plan uses if the configuration omits the attribute. */
  readonly default?: T;
  /** The default value of the service. The documentation contains this default, but plans do not use it. */
  readonly impliedDefault?: T;
  /** Whether an update can change a computed value. If an update can't change the value, plans keep the prior value. */
  readonly changesOnUpdate?: boolean | ((prior: ValueObject, planned: ValueObject) => boolean);
  /**
   * Returns the problem of a known configured value as a sentence; undefined for a valid value. `check` is declared as
   * a method, so that TypeScript accepts attributes of different value types in one record.
   */
  check?(value: T): string | undefined;
  /**
   * Returns the problem of one known element of a set or list; undefined for a valid element. Nested values can be
   * unknown, or missing instead of null.
   */
  checkElement?(element: E): string | undefined;
}

/**
 * The definition of an attribute. The TypeScript types, validation, wire schema, constructs and documentation are
 * derived from the definition.
 */
export interface Attribute<P extends Presence = Presence, T = unknown> {
  readonly presence: P;
  readonly type: AttributeType;
  readonly text: AttributeText<unknown, unknown>;
  /** Only for type inference; never set. */
  readonly valueType?: T;
}

export type Attributes = Readonly<Record<string, Attribute>>;

/** Returns pairs of a name and its attribute, in the order of the definition. */
export const attributeEntries = memoize(
  (attributes: Attributes): readonly (readonly [name: string, attribute: Attribute])[] =>
    Object.entries(attributes),
);

/**
 * Returns the attributes as a list, for loops that run for every object. The loops use an index, because iterators
 * and pairs are slow in loops that end before V8 optimizes them.
 */
export const attributeList = memoize((attributes: Attributes) =>
  Object.entries(attributes).map(([name, attribute]) => ({ name, attribute })),
);

type Simplify<T> = { [K in keyof T]: T[K] } & {};

type ValueOf<A> = A extends Attribute<infer P, infer T> ? (P extends "required" ? T : T | null) : never;

/**
 * A declaration as lifecycle functions receive it: all configurable attributes, with resolved references and
 * without unknown values. Omitted values are null.
 */
export type Declared<A extends Attributes> = Simplify<{
  [K in keyof A as A[K]["presence"] extends "computed" ? never : K]: ValueOf<A[K]>;
}>;

/**
 * A live object as lifecycle functions return it: all attributes except `configOnly` ones, which the service does
 * not return.
 */
export type Observed<A extends Attributes> = Simplify<{
  [K in keyof A as A[K]["presence"] extends "configOnly" ? never : K]: ValueOf<A[K]>;
}>;

/** A nested element in `Declared` and `Observed`. The element has all attributes; omitted values are null. */
type Element<A extends Attributes> = Simplify<{ [K in keyof A]: ValueOf<A[K]> }>;

/** The documentation and rules of an attribute. A plain string is a description without rules. */
type Text<T, E = never> = string | AttributeText<T, E>;

/** Creates attributes of one presence. There is one method for each type of value. */
class AttributeBuilder<P extends Presence> {
  constructor(private readonly presence: P) {}
  string = (text: Text<string>) => this.#create<string>({ kind: "string" }, text);
  number = (text: Text<number>) => this.#create<number>({ kind: "number" }, text);
  bool = (text: Text<boolean>) => this.#create<boolean>({ kind: "bool" }, text);

  any = (text: Text<ValueObject>) => this.#create<ValueObject>({ kind: "dynamic" }, text);

  /** A case-insensitive text. The state keeps the declared spelling. */
  caseInsensitiveString = (text: Text<string>): Attribute<P, string> =>
    this.normalizedString((value) => value.toLowerCase(), text);

  /**
   * A text with several equivalent spellings. `normalize` returns equal texts for equivalent spellings. The state
   * keeps the declared spelling.
   */
  normalizedString = (normalize: (text: string) => string, text: Text<string>) =>
    this.#create<string>({ kind: "string", normalize }, text);

  /** A numeric id or a full path, as a string. Lifecycle functions receive the resolved reference. */
  reference = (to: ReferenceKind, text: Text<string>) =>
    this.#create<Reference>({ kind: "reference", to }, text);

  setOfReferences = (to: ReferenceKind, text: Text<readonly string[], string>) =>
    this.#create<readonly Reference[]>({ kind: "set", element: { kind: "reference", to } }, text);

  setOfStrings = (text: Text<readonly string[], string>) =>
    this.#create<readonly string[]>({ kind: "set", element: { kind: "string" } }, text);

  listOfStrings = (text: Text<readonly string[], string>) =>
    this.#create<readonly string[]>({ kind: "list", element: { kind: "string" } }, text);

  setOf = <A extends Attributes>(nested: A, text: Text<readonly ValueObject[], ValueObject>) =>
    this.#create<readonly Element<A>[]>({ kind: "set", nested }, text);

  listOf = <A extends Attributes>(nested: A, text: Text<readonly ValueObject[], ValueObject>) =>
    this.#create<readonly Element<A>[]>({ kind: "list", nested }, text);

  object = <A extends Attributes>(nested: A, text: Text<ValueObject>) =>
    this.#create<Element<A>>({ kind: "single", nested }, text);

  #create<T>(type: AttributeType, text: Text<unknown, unknown>): Attribute<P, T> {
    return { presence: this.presence, type, text: typeof text === "string" ? { description: text } : text };
  }
}

export const required = new AttributeBuilder("required");
export const optionalComputed = new AttributeBuilder("optionalComputed");
export const optional = new AttributeBuilder("optional");
export const managed = new AttributeBuilder("managed");
export const configOnly = new AttributeBuilder("configOnly");
export const computed = new AttributeBuilder("computed");

export const isNested = (type: AttributeType): type is Extract<AttributeType, { nested: Attributes }> =>
  "nested" in type;
export const isCollectionOfPrimitives = (
  type: AttributeType,
): type is Extract<AttributeType, { element: PrimitiveType }> => "element" in type;
