import { append } from "../../../schema";
import {
  compareText,
  DYNAMIC,
  EMPTY_OBJECT_TYPE,
  isSameType,
  list,
  listOf,
  map,
  mapOf,
  object,
  objectOf,
  ownMarks,
  STRING,
  string,
  type Type,
  tuple,
  tupleOf,
  typeName,
  unknown,
  type Value,
} from "../../values";
import type { Args } from "./definition";
import {
  convertFor,
  FunctionError,
  type FunctionTable,
  fn,
  marked,
  nullableFn,
  open,
  sequence,
  wrongType,
} from "./function";

const anyText = (length: number): Type => tupleOf(new Array<Type>(length).fill(STRING));

function keysType([given]: Args): Type {
  if (given.type.kind === "map") return listOf(STRING);
  if (given.type.kind === "object") return anyText(given.type.attributes.size);
  throw wrongType("a map or object", given.type);
}

function keys([given]: Args, type: Type): Value {
  if (given.type.kind === "object") {
    return tuple([...given.type.attributes.keys()].map(string)).withMarks(given.marks);
  }
  if (!given.isKnown) return unknown(type).withMarks(given.marks);
  return list([...given.entries.keys()].map(string), STRING).withMarks(given.marks);
}

function valuesType([given]: Args): Type {
  if (given.type.kind === "map") return listOf(given.type.element);
  if (given.type.kind === "object") return tupleOf([...given.type.attributes.values()]);
  throw wrongType("a map or object", given.type);
}

function lookupType(args: readonly Value[]): Type {
  const [given, key, fallback] = args as unknown as Args;
  if (args.length > 3) throw new FunctionError("it takes two or three arguments");
  if (given.type.kind === "map") {
    const { element } = given.type;
    if (args.length === 3) convertFor(fallback, element, 2);
    return element;
  }
  if (given.type.kind !== "object") throw wrongType("a map or object", given.type);
  if (!key.isKnown) return DYNAMIC;
  const attribute = given.type.attributes.get(key.text);
  if (attribute !== undefined) return attribute;
  if (args.length === 3) return fallback.type;
  throw new FunctionError(`the object has no attribute ${shown(key)}`, 0);
}

const shown = (key: Value): string => (key.marks ? "of this sensitive name" : `"${key.text}"`);

function lookup(args: readonly Value[], type: Type): Value {
  const [given, key, fallback] = args as unknown as Args;
  const marks = given.marks | key.marks;
  if (!given.isKnown || !key.isKnown) return unknown(type).withMarks(marks);
  const found = given.entries.get(key.text);
  if (found !== undefined) return found.withMarks(marks);
  if (args.length < 3) throw new FunctionError(`there is no key ${shown(key)}`);
  return convertFor(fallback, type, 2).withMarks(marks);
}

function mergeType(args: readonly Value[]): Type {
  if (args.length === 0) return EMPTY_OBJECT_TYPE;
  const attributes = new Map<string, Type>();
  let isComplete = true;
  for (const [index, arg] of args.entries()) {
    const { type } = arg;
    if (type.kind === "dynamic") return DYNAMIC;
    if (type.kind !== "map" && type.kind !== "object") {
      throw new FunctionError(`maps or objects are required, not ${typeName(type)}`, index);
    }
    if (arg.isNull) continue;
    if (type.kind === "object") for (const [name, one] of type.attributes) attributes.set(name, one);
    else if (arg.isKnown) for (const name of arg.entries.keys()) attributes.set(name, type.element);
    else isComplete = false;
  }
  if (args.every(({ type }) => isSameType(type, args[0]!.type))) return args[0]!.type;
  return isComplete ? objectOf(attributes) : DYNAMIC;
}

function merge(args: readonly Value[], type: Type): Value {
  const given = args.filter((arg) => !arg.isNull);
  const merged = new Map(given.flatMap((arg) => [...arg.entries]));
  const marks = ownMarks(given);
  return (type.kind === "map" ? map(merged, type.element) : object(merged)).withMarks(marks);
}

function transpose([given]: Args, type: Type): Value {
  if (given.hasUnknown) return unknown(type);
  const found = new Map<string, string[]>();
  for (const [key, values] of given.entries) {
    if (values.isNull) throw new FunctionError(`the list of "${key}" is null`, 0);
    for (const value of values.elements) {
      if (value.isNull) throw new FunctionError(`the list of "${key}" contains null`, 0);
      append(found, value.text, key);
    }
  }
  const lists = [...found].map(
    ([key, names]) => [key, list(names.sort(compareText).map(string), STRING)] as const,
  );
  return map(new Map(lists), listOf(STRING));
}

function zipmapType([names, values]: Args): Type {
  if (values.type.kind === "list") return mapOf(values.type.element);
  if (values.type.kind !== "tuple") throw wrongType("a list or tuple", values.type, 1);
  if (names.hasUnknown) return DYNAMIC;
  const elements = values.type.elements;
  return objectOf(new Map(pairs(names, elements)));
}

function pairs<T>(names: Value, values: readonly T[]): [string, T][] {
  const keys = names.elements;
  if (keys.length !== values.length) {
    throw new FunctionError(`there are ${keys.length} keys, but ${values.length} values`);
  }
  return keys.map((key, index) => {
    if (key.isNull) throw new FunctionError(`key ${index} is null`, 0);
    return [key.text, values[index]!];
  });
}

function zipmap([names, values]: Args, type: Type): Value {
  const marks = names.containedMarks | values.marks;
  if (names.hasUnknown) return unknown(type).withMarks(marks);
  const entries = new Map(pairs(names, values.elements));
  return (type.kind === "map" ? map(entries, type.element) : object(entries)).withMarks(marks);
}

const MAPPING_FUNCTIONS: FunctionTable = {
  keys: fn({ inputMap: { type: DYNAMIC, canBeUnknown: true, canBeMarked: true } }, keysType, keys),
  lookup: nullableFn(
    {
      inputMap: { type: DYNAMIC, canBeUnknown: true, canBeMarked: true },
      key: { type: STRING, canBeUnknown: true, canBeMarked: true },
    },
    lookupType,
    lookup,
    { rest: { default: open(DYNAMIC) } },
  ),
  merge: fn({}, mergeType, merge, {
    rest: { maps: { type: DYNAMIC, canBeDynamic: true, canBeNull: true, canBeMarked: true } },
  }),
  transpose: fn({ values: mapOf(listOf(STRING)) }, mapOf(listOf(STRING)), transpose),
  values: fn({ mapping: marked(DYNAMIC) }, valuesType, ([given], type) =>
    sequence(given.elements, type).withMarks(given.marks),
  ),
  zipmap: fn({ keys: marked(listOf(STRING)), values: marked(DYNAMIC) }, zipmapType, zipmap),
};

export = MAPPING_FUNCTIONS;
