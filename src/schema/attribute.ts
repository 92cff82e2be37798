import type { Enumeration } from "./enumeration";
import type { Reference, ReferenceKind } from "./reference";
import { remembered } from "./remembered";
import type { ValueObject } from "./value";

/**
 * What it means to leave an attribute out, or to take it out of the code:
 * - `required`: it can't be left out.
 * - `left-alone`: a setting that exists anyway; left out, it is neither sent nor compared, and its live value is shown.
 * - `unset`: the service shall have none; a live value is drift and is cleared.
 * - `managed`: a set owned as a whole, or, left out, not managed at all; `[]` empties it.
 * - `code-only`: known to the code alone, the service never gives it back; kept as declared, never compared.
 * - `computed`: only ever set by the service.
 */
export type Presence = "required" | "left-alone" | "unset" | "managed" | "code-only" | "computed";

/** The shape of an attribute's value. A collection holds primitives or, `nested`, objects with attributes of their own. */
export type AttributeType =
  /** Of a text that can be spelled in several ways: what is the same for all spellings of one thing. */
  | { readonly kind: "string"; readonly meaning?: (text: string) => string }
  | { readonly kind: "number" | "bool" }
  /** A value of any type, which goes with that type beside it: `{ value, type }`. */
  | { readonly kind: "dynamic" }
  | { readonly kind: "reference"; readonly to: ReferenceKind }
  | { readonly kind: "set" | "list" | "map"; readonly element: PrimitiveType }
  | { readonly kind: "set" | "list" | "single"; readonly nested: Attributes };

export type PrimitiveType = Extract<AttributeType, { kind: "string" | "number" | "bool" | "reference" }>;

/** What the author of an attribute says of it: `T` is its value, `E` an element of it. */
export interface AttributeText<T, E = never> {
  /** Markdown: what it does, its values, who may change it, what the service does on its own. */
  readonly description: string;
  /** Changing it replaces the object. */
  readonly replaces?: boolean;
  /** Why not to use it any more, and what instead. */
  readonly deprecated?: string;
  readonly sensitive?: boolean;
  /** All values that it may have, where these are few and have names. */
  readonly values?: Enumeration<T>;
  /** Filled in where the configuration says nothing. */
  readonly default?: T;
  /** What counts where the configuration says nothing, without being filled in: for pages. */
  readonly impliedDefault?: T;
  /** A computed value that an update may change, or some updates; all others are known to stay. */
  readonly changesOnUpdate?: boolean | ((prior: ValueObject, planned: ValueObject) => boolean);
  /**
   * Says what is wrong with a known value of the configuration, in a sentence; nothing when it is right.
   * A method, so that attributes of all value types fit in one record.
   */
  check?(value: T): string | undefined;
  /** The same for each known element of a set or list; nested values may be unknown. */
  checkElement?(element: E): string | undefined;
}

/** One attribute: the single declaration that types, validation, wire schema, constructs and pages come from. */
export interface Attribute<P extends Presence = Presence, T = unknown> {
  readonly presence: P;
  readonly type: AttributeType;
  readonly text: AttributeText<unknown, unknown>;
  /** Carries the type of a known value; never set. */
  readonly valueType?: T;
}

export type Attributes = Readonly<Record<string, Attribute>>;

/** Attributes with their names, in order. */
export const attributeEntries = remembered(
  (attributes: Attributes): readonly (readonly [name: string, attribute: Attribute])[] =>
    Object.entries(attributes),
);

type Simplify<T> = { [K in keyof T]: T[K] } & {};

/** What lifecycles receive: everything a user can say, resolved and known; null where left out. */
export type Declared<A extends Attributes> = Simplify<{
  [K in keyof A as A[K]["presence"] extends "computed" ? never : K]: A[K] extends Attribute<infer P, infer T>
    ? P extends "required"
      ? T
      : T | null
    : never;
}>;

/** What lifecycles give back: everything the service says. What only the code knows is not in it. */
export type Observed<A extends Attributes> = Simplify<{
  [K in keyof A as A[K]["presence"] extends "code-only" ? never : K]: A[K] extends Attribute<infer P, infer T>
    ? P extends "required"
      ? T
      : T | null
    : never;
}>;

/** The value of a nested element, as `Declared` and `Observed` have it: all its attributes, null where left out. */
type Element<A extends Attributes> = Simplify<{
  [K in keyof A]: A[K] extends Attribute<infer P, infer T> ? (P extends "required" ? T : T | null) : never;
}>;

/** Makes attributes of one presence, by the type of their value. */
class Builder<P extends Presence> {
  readonly #presence: P;

  constructor(presence: P) {
    this.#presence = presence;
  }

  string = (text: AttributeText<string>) => this.#make<string>({ kind: "string" }, text);
  number = (text: AttributeText<number>) => this.#make<number>({ kind: "number" }, text);
  bool = (text: AttributeText<boolean>) => this.#make<boolean>({ kind: "bool" }, text);

  any = (text: AttributeText<ValueObject>) => this.#make<ValueObject>({ kind: "dynamic" }, text);

  /** A text that means the same in capital and small letters. It stays as it is spelled in the declaration. */
  caselessString = (text: AttributeText<string>): Attribute<P, string> =>
    this.spelledString((value) => value.toLowerCase(), text);

  /** A text that means the same in several spellings: `meaning` is the same for all of them. It stays as it is declared. */
  spelledString = (meaning: (text: string) => string, text: AttributeText<string>) =>
    this.#make<string>({ kind: "string", meaning }, text);

  /** A numeric id or a full path, as a string. Lifecycles see what it names. */
  reference = (to: ReferenceKind, text: AttributeText<string>) =>
    this.#make<Reference>({ kind: "reference", to }, text);

  setOfReferences = (to: ReferenceKind, text: AttributeText<readonly string[], string>) =>
    this.#make<readonly Reference[]>({ kind: "set", element: { kind: "reference", to } }, text);

  setOfStrings = (text: AttributeText<readonly string[], string>) =>
    this.#make<readonly string[]>({ kind: "set", element: { kind: "string" } }, text);

  listOfStrings = (text: AttributeText<readonly string[], string>) =>
    this.#make<readonly string[]>({ kind: "list", element: { kind: "string" } }, text);

  setOf = <A extends Attributes>(nested: A, text: AttributeText<readonly ValueObject[], ValueObject>) =>
    this.#make<readonly Element<A>[]>({ kind: "set", nested }, text);

  listOf = <A extends Attributes>(nested: A, text: AttributeText<readonly ValueObject[], ValueObject>) =>
    this.#make<readonly Element<A>[]>({ kind: "list", nested }, text);

  object = <A extends Attributes>(nested: A, text: AttributeText<ValueObject>) =>
    this.#make<Element<A>>({ kind: "single", nested }, text);

  #make<T>(type: AttributeType, text: AttributeText<unknown, unknown>): Attribute<P, T> {
    return { presence: this.#presence, type, text };
  }
}

export const required = new Builder("required");
export const leftAlone = new Builder("left-alone");
export const unset = new Builder("unset");
export const managed = new Builder("managed");
export const codeOnly = new Builder("code-only");
export const computed = new Builder("computed");

export const isNested = (type: AttributeType): type is Extract<AttributeType, { nested: Attributes }> =>
  "nested" in type;
export const isCollectionOfPrimitives = (
  type: AttributeType,
): type is Extract<AttributeType, { element: PrimitiveType }> => "element" in type;
