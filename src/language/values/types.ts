import { memoize } from "../../schema";

/** An immutable type of Terraform's type system. Use the functions below to create types, and `isSameType` to compare types. */
export type Type = PrimitiveType | DynamicType | CollectionType | ObjectType | TupleType;

export interface PrimitiveType {
  readonly kind: "string" | "number" | "bool";
}

/** The dynamic type. A `null` without a type has this type, and so does an unknown value whose type is unknown. */
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
  /**
   * The names of attributes that a value can lack before its conversion to this type. Only type constraints have optional
   * attributes; the type of a value never has optional attributes.
   */
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

/**
 * Returns a function that creates collection types. The function returns one object for each element type, because identical
 * objects need no comparison.
 */
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
 * Returns the type of an object with these attributes, which must be sorted by name. Equal attributes give the same type, because
 * tens of thousands of objects have only a few types.
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

/** Compares two texts in Terraform's order: by code points, which is also the order of their UTF-8 bytes. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // Surrogates encode the highest code points, although the numbers of some other units are higher.
    const surrogates = Number(a >= 0xd800 && a < 0xe000) - Number(b >= 0xd800 && b < 0xe000);
    return surrogates === 0 ? a - b : surrogates;
  }
  return left.length - right.length;
}

/** Sorts entries by name in place, and returns the same array. */
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

/** Returns whether values of a type are sequences: lists, sets or tuples. */
export const isSequence = (type: Type): boolean =>
  type.kind === "list" || type.kind === "set" || type.kind === "tuple";

/** Returns whether values of a type have names for their parts: maps or objects. */
export const isNamed = (type: Type): boolean => type.kind === "map" || type.kind === "object";

/** The primitive types by name. A type constraint contains the name of a primitive type without arguments. */
export const SIMPLE_TYPES = { string: STRING, number: NUMBER, bool: BOOL } as const;
/** The functions that create collection types, by the name of the type. */
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

/** Returns the types of the elements or attributes of a type. */
export function partsOf(type: Type): readonly Type[] {
  if (isCollection(type)) return [type.element];
  if (type.kind === "tuple") return type.elements;
  return type.kind === "object" ? [...type.attributes.values()] : [];
}

/**
 * Returns the types of the elements or attributes of two types, in pairs. Returns undefined if the types have different kinds, or
 * parts with different numbers or names.
 */
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

/** Returns whether a type has more nested levels than this number. */
export const isDeeperThan = (type: Type, levels: number): boolean =>
  !isPrimitive(type) &&
  type.kind !== "dynamic" &&
  (levels === 0 || partsOf(type).some((part) => isDeeperThan(part, levels - 1)));

/** Returns whether a type is the dynamic type, or contains it. */
export const hasDynamic = (type: Type): boolean => type.kind === "dynamic" || partsOf(type).some(hasDynamic);

/** Returns the type of a value after its conversion to a type: a type without optional attributes. */
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
 * Returns Terraform's name of a type for messages, such as "list of string" or "object". The dynamic type has the name "dynamic"
 * for a value, and "any type" for a constraint.
 */
export function typeName(type: Type, as: "value" | "constraint" = "value"): string {
  if (type.kind === "dynamic") return as === "constraint" ? "any type" : "dynamic";
  return isCollection(type) ? `${type.kind} of ${elementName(type.element, as)}` : type.kind;
}

const elementName = (element: Type, as: "value" | "constraint"): string =>
  as === "constraint" && element.kind === "dynamic" ? "any single type" : typeName(element, as);

/** A type in the JSON format of the plugin protocol and of states: `"string"`, `["list","string"]`, `["object",{"a":"bool"}]`. */
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

/** Returns the type that JSON describes. @throws TypeError if the JSON describes no type */
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
