import {
  COLLECTION_TYPES,
  DYNAMIC,
  isCollection,
  isPrimitive,
  objectOf,
  SIMPLE_TYPES,
  type Type,
  tupleOf,
} from "./types";

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
