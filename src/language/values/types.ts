import { memoize } from "../../schema";

/** A type of Terraform's type system. Immutable: build one with the constructors below, compare with `isSameType`. */
export type Type = PrimitiveType | DynamicType | CollectionType | ObjectType | TupleType;

export interface PrimitiveType {
  readonly kind: "string" | "number" | "bool";
}

/** The dynamic type: that of `null`, and of an unknown value of unknown type. */
interface DynamicType {
  readonly kind: "dynamic";
}

export interface CollectionType {
  readonly kind: "list" | "set" | "map";
  readonly element: Type;
}

export interface ObjectType {
  readonly kind: "object";
  /** The attributes, in the order of their names. */
  readonly attributes: ReadonlyMap<string, Type>;
  /** Attributes that a conversion to this type may omit. Part of a constraint, never of a value's type. */
  readonly optional: ReadonlySet<string>;
}

export interface TupleType {
  readonly kind: "tuple";
  readonly elements: readonly Type[];
}

export const STRING: Type = { kind: "string" };
export const NUMBER: Type = { kind: "number" };
export const BOOL: Type = { kind: "bool" };
export const DYNAMIC: Type = { kind: "dynamic" };

const NONE: ReadonlySet<string> = new Set();

/** Interned by element type: identical types need no comparison. */
const collectionOf = (kind: CollectionType["kind"]) =>
  memoize((element: Type): CollectionType => ({ kind, element }));

export const listOf = collectionOf("list");
export const setOf = collectionOf("set");
export const mapOf = collectionOf("map");
export const tupleOf = (elements: readonly Type[]): TupleType => ({ kind: "tuple", elements });

export function objectOf(
  attributes: ReadonlyMap<string, Type> | Readonly<Record<string, Type>>,
  optional: Iterable<string> = NONE,
): ObjectType {
  const entries = attributes instanceof Map ? [...attributes] : Object.entries(attributes as object);
  return {
    kind: "object",
    attributes: new Map(sortByName(entries as [string, Type][])),
    optional: optional === NONE ? NONE : new Set(optional),
  };
}

const SHAPES = new Map<string, ObjectType[]>();
const MOST_SHAPES = 1000;
const MOST_OF_A_SHAPE = 8;

/**
 * The type of an object with these attributes, sorted by name. Interned, since tens of thousands of objects
 * come from a few declarations.
 */
export function sharedObjectType(attributes: ReadonlyMap<string, { readonly type: Type }>): ObjectType {
  const shape = [...attributes.keys()].join("\0");
  const known = SHAPES.get(shape) ?? [];
  for (const type of known) if (isTypeOf(type, attributes)) return type;
  const types = new Map<string, Type>();
  for (const [name, { type }] of attributes) types.set(name, type);
  const type: ObjectType = { kind: "object", attributes: types, optional: NONE };
  if (known.length < MOST_OF_A_SHAPE && SHAPES.size < MOST_SHAPES) SHAPES.set(shape, [...known, type]);
  return type;
}

function isTypeOf(type: ObjectType, attributes: ReadonlyMap<string, { readonly type: Type }>): boolean {
  for (const [name, one] of attributes) if (type.attributes.get(name) !== one.type) return false;
  return true;
}

export const EMPTY_OBJECT_TYPE: ObjectType = objectOf({});
export const EMPTY_TUPLE_TYPE: TupleType = tupleOf([]);

/** Terraform's order of strings and keys: by code point, which is the order of their UTF-8 bytes. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // Surrogates represent code points above all others, though their units are smaller.
    const surrogates = Number(a >= 0xd800 && a < 0xe000) - Number(b >= 0xd800 && b < 0xe000);
    return surrogates === 0 ? a - b : surrogates;
  }
  return left.length - right.length;
}

/** Sorts the entries by name; returns the same array if they are sorted already. */
export function sortByName<T>(entries: [string, T][]): [string, T][] {
  for (let index = 1; index < entries.length; index++) {
    if (compareText(entries[index - 1]![0], entries[index]![0]) > 0) {
      return entries.sort(([a], [b]) => compareText(a, b));
    }
  }
  return entries;
}

export const isPrimitive = (type: Type): type is PrimitiveType =>
  type.kind === "string" || type.kind === "number" || type.kind === "bool";

export const isCollection = (type: Type): type is CollectionType =>
  type.kind === "list" || type.kind === "set" || type.kind === "map";

/** Whether its values have elements without names. */
export const isSequence = (type: Type): boolean =>
  type.kind === "list" || type.kind === "set" || type.kind === "tuple";

/** Whether its values have entries with names. */
export const isNamed = (type: Type): boolean => type.kind === "map" || type.kind === "object";

/** The types that consist of a name. */
export const SIMPLE_TYPES = { string: STRING, number: NUMBER, bool: BOOL } as const;
/** The types that have elements of one type. */
export const COLLECTION_TYPES: Readonly<Record<string, (element: Type) => CollectionType>> = {
  list: listOf,
  set: setOf,
  map: mapOf,
};

export function isSameType(left: Type, right: Type): boolean {
  if (left === right) return true;
  if (left.kind !== right.kind) return false;
  switch (left.kind) {
    case "list":
    case "set":
    case "map":
      return isSameType(left.element, (right as CollectionType).element);
    case "tuple":
      return isSameTupleType(left, right as TupleType);
    case "object":
      return isSameObjectType(left, right as ObjectType);
    default:
      return true;
  }
}

const isSameTupleType = (left: TupleType, right: TupleType): boolean =>
  left.elements.length === right.elements.length &&
  left.elements.every((element, index) => isSameType(element, right.elements[index]!));

function isSameObjectType(left: ObjectType, right: ObjectType): boolean {
  if (left.attributes.size !== right.attributes.size || left.optional.size !== right.optional.size)
    return false;
  for (const [name, type] of left.attributes) {
    const other = right.attributes.get(name);
    if (other === undefined || !isSameType(type, other)) return false;
    if (left.optional.has(name) !== right.optional.has(name)) return false;
  }
  return true;
}

/** The types within a type. */
export function partsOf(type: Type): readonly Type[] {
  if (isCollection(type)) return [type.element];
  if (type.kind === "tuple") return type.elements;
  return type.kind === "object" ? [...type.attributes.values()] : [];
}

/** Returns the pairs of types within two types of one kind; undefined if the two differ in shape. */
export function pairedParts(left: Type, right: Type): readonly (readonly [Type, Type])[] | undefined {
  const parts = partsOf(left);
  if (left.kind !== right.kind || parts.length !== partsOf(right).length) return undefined;
  const others =
    left.kind === "object"
      ? [...left.attributes.keys()].map((name) => (right as ObjectType).attributes.get(name))
      : partsOf(right);
  return others.some((other) => other === undefined)
    ? undefined
    : parts.map((part, index) => [part, others[index]!]);
}

/** Whether a type is nested more deeply than a number of levels. */
export const isDeeperThan = (type: Type, levels: number): boolean =>
  !isPrimitive(type) &&
  type.kind !== "dynamic" &&
  (levels === 0 || partsOf(type).some((part) => isDeeperThan(part, levels - 1)));

/** True if the type is or contains the dynamic type. */
export const hasDynamic = (type: Type): boolean => type.kind === "dynamic" || partsOf(type).some(hasDynamic);

/** The type without optional attributes, at any depth: that of a converted value. */
export const withoutOptional = memoize((type: Type): Type => {
  const parts = partsOf(type);
  const plain = parts.map((part) => withoutOptional(part));
  const isPlain = type.kind !== "object" || type.optional.size === 0;
  if (isPlain && plain.every((part, index) => part === parts[index])) return type;
  if (isCollection(type)) return { kind: type.kind, element: plain[0]! };
  return type.kind === "object"
    ? objectOf(new Map([...type.attributes.keys()].map((name, index) => [name, plain[index]!])))
    : tupleOf(plain);
});

/**
 * Terraform's name of the type in messages: "list of string", "object", "dynamic". As a constraint the
 * dynamic type is "any type".
 */
export function typeName(type: Type, as: "value" | "constraint" = "value"): string {
  if (type.kind === "dynamic") return as === "constraint" ? "any type" : "dynamic";
  return isCollection(type) ? `${type.kind} of ${elementName(type.element, as)}` : type.kind;
}

const elementName = (element: Type, as: "value" | "constraint"): string =>
  as === "constraint" && element.kind === "dynamic" ? "any single type" : typeName(element, as);

/** A type in the JSON of the plugin protocol and of states: `"string"`, `["list","string"]`, `["object",{"a":"bool"}]`. */
export type TypeJson =
  | string
  | readonly ["list" | "set" | "map", TypeJson]
  | readonly ["tuple", readonly TypeJson[]]
  | readonly ["object", { readonly [name: string]: TypeJson }]
  | readonly ["object", { readonly [name: string]: TypeJson }, readonly string[]];

const SIMPLE: Readonly<Record<string, Type>> = { ...SIMPLE_TYPES, dynamic: DYNAMIC };

export function typeToJson(type: Type): TypeJson {
  if (isPrimitive(type) || type.kind === "dynamic") return type.kind;
  if (isCollection(type)) return [type.kind, typeToJson(type.element)];
  if (type.kind === "tuple") return ["tuple", type.elements.map(typeToJson)];
  const attributes = Object.fromEntries([...type.attributes].map(([name, one]) => [name, typeToJson(one)]));
  return type.optional.size === 0
    ? ["object", attributes]
    : ["object", attributes, [...type.optional].sort()];
}

/** @throws TypeError when the JSON describes no type. */
export function typeFromJson(json: unknown): Type {
  if (typeof json === "string") {
    const type = Object.hasOwn(SIMPLE, json) ? SIMPLE[json] : undefined;
    if (type !== undefined) return type;
  } else if (Array.isArray(json)) {
    const [kind, inner, optional] = json as unknown[];
    if (typeof kind === "string" && Object.hasOwn(COLLECTION_TYPES, kind))
      return COLLECTION_TYPES[kind]!(typeFromJson(inner));
    if (kind === "tuple" && Array.isArray(inner)) return tupleOf(inner.map(typeFromJson));
    if (kind === "object" && typeof inner === "object" && inner !== null) {
      const attributes = Object.entries(inner).map(([name, one]): [string, Type] => [
        name,
        typeFromJson(one),
      ]);
      return objectOf(new Map(attributes), (optional ?? []) as string[]);
    }
  }
  throw new TypeError(`${JSON.stringify(json)} does not describe a type`);
}
