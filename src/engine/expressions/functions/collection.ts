import {
  BOOL,
  conversionFor,
  convert,
  countNum,
  DYNAMIC,
  elementsOf,
  equalValues,
  FALSE,
  isKnown,
  isNull,
  list,
  listOf,
  markSensitive,
  NUMBER,
  nullOf,
  number,
  STRING,
  TRUE,
  type Type,
  textOf,
  truthOf,
  tuple,
  tupleOf,
  typeName,
  typesEqual,
  UNKNOWN,
  unify,
  unknown,
  unmark,
  type Value,
} from "../../values";
import { type Args, blaming, FunctionError, type FunctionTable, fn, marked, nullableFn } from "./function";
import { integerOf } from "./integers";
import { lengthOf } from "./length";
import { sequence } from "./sequence";

const isSequence = (type: Type): boolean => ["list", "set", "tuple"].includes(type.kind);

function allTrue(values: readonly Value[]): Value {
  for (const one of values) {
    if (!isKnown(one)) return unknown(BOOL);
    if (isNull(one) || !truthOf(one)) return FALSE;
  }
  return TRUE;
}

function anyTrue(values: readonly Value[]): Value {
  if (values.some((one) => isKnown(one) && !isNull(one) && truthOf(one))) return TRUE;
  return values.some((one) => !isKnown(one)) ? unknown(BOOL) : FALSE;
}

function commonType(types: readonly Type[], what: string): Type {
  const common = unify(types);
  if (common === undefined) throw new FunctionError(`${what} must have a common type`);
  return common;
}

function coalesce(args: readonly Value[], type: Type): Value {
  for (const arg of args) {
    const value = conversionFor(arg.type, type, true) || typesEqual(arg.type, type) ? asType(arg, type) : arg;
    if (!isKnown(value)) return unknown(type);
    if (!isNull(value) && !(type.kind === "string" && textOf(value) === "")) return value;
  }
  throw new FunctionError("every argument is null or an empty string");
}

const asType = (value: Value, type: Type): Value => blaming(undefined, () => convert(value, type));

function coalesceListType(args: readonly Value[]): Type {
  if (args.length === 0) throw new FunctionError("at least one argument is needed");
  if (args.some((arg) => !isKnown(arg))) return DYNAMIC;
  const wrong = args.findIndex(({ type }) => type.kind !== "list" && type.kind !== "tuple");
  if (wrong >= 0) throw new FunctionError("a list or tuple is required", wrong);
  return args.every(({ type }) => typesEqual(type, args[0]!.type)) ? args[0]!.type : DYNAMIC;
}

function coalesceList(args: readonly Value[], type: Type): Value {
  for (const arg of args) {
    if (!isKnown(arg)) return unknown(type);
    if (!isNull(arg) && elementsOf(arg).length > 0) return arg;
  }
  throw new FunctionError("every argument is null or empty");
}

function compact(given: Value): Value {
  if (given.containsUnknown) return unknown(listOf(STRING));
  return list(
    elementsOf(given).filter((one) => !isNull(one) && textOf(one) !== ""),
    STRING,
  );
}

function concatType(args: readonly Value[]): Type {
  if (args.length === 0) throw new FunctionError("at least one argument is needed");
  if (args.every(({ type }) => type.kind === "list")) {
    const common = unify(args.map(({ type }) => type));
    if (common !== undefined) return common;
  }
  const elements: Type[] = [];
  for (const [index, { type, content }] of args.entries()) {
    if (type.kind === "tuple") elements.push(...type.elements);
    else if (type.kind !== "list") {
      throw new FunctionError(`a list or tuple is required, not ${typeName(type)}`, index);
    } else if (!Array.isArray(content)) return DYNAMIC;
    else elements.push(...content.map(() => type.element));
  }
  return { kind: "tuple", elements };
}

function concat(args: readonly Value[], type: Type): Value {
  const sensitive = args.some((arg) => arg.sensitive);
  const elements = args.flatMap((arg, index) =>
    elementsOf(type.kind === "list" ? blaming(index, () => convert(unmark(arg), type)) : arg),
  );
  return markSensitive(sequence(elements, type), sensitive);
}

function contains(given: Value, wanted: Value): Value {
  if (!isSequence(given.type)) throw new FunctionError("a list, set or tuple is required", 0);
  let undecided = false;
  for (const one of elementsOf(given)) {
    const equal = equalValues(wanted, one);
    if (equal.content === true) return TRUE;
    undecided ||= !isKnown(equal);
  }
  return undecided ? unknown(BOOL) : FALSE;
}

function distinct(given: Value, type: Type): Value {
  if (given.containsUnknown) return unknown(type);
  const kept: Value[] = [];
  for (const one of elementsOf(given)) {
    if (!kept.some((other) => equalValues(other, one).content === true)) kept.push(one);
  }
  return sequence(kept, type);
}

function chunks(given: Value, size: Value): Value {
  const width = integerOf(unmark(size), 1);
  if (width < 0) throw new FunctionError("the size of the pieces is not negative", 1);
  const elements = elementsOf(given);
  const step = width === 0 ? Math.max(elements.length, 1) : width;
  const pieces: Value[] = [];
  for (let at = 0; at < elements.length; at += step)
    pieces.push(sequence(elements.slice(at, at + step), given.type));
  return markSensitive(list(pieces, given.type), given.sensitive || size.sensitive);
}

function elementType([given, index]: Args): Type {
  const { type } = given;
  if (type.kind === "list") return type.element;
  if (type.kind !== "tuple") throw new FunctionError(`a list or tuple is required, not ${typeName(type)}`, 0);
  if (!isKnown(index)) return DYNAMIC;
  return type.elements[wrapped(integerOf(index, 1), type.elements.length)]!;
}

/** Beyond the end the elements begin again; below zero they count from the end. */
function wrapped(index: number, length: number): number {
  if (length === 0) throw new FunctionError("an empty list has no elements", 0);
  return ((index % length) + length) % length;
}

function element([given, index]: Args): Value {
  const elements = elementsOf(given);
  return markSensitive(elements[wrapped(integerOf(index, 1), elements.length)]!, given.sensitive);
}

/** Lists in lists, at any depth, as one; undefined when an unknown list stands in the way. */
function flattened(given: Value): { elements: Value[]; sensitive: boolean; known: boolean } {
  const flat = { elements: [] as Value[], sensitive: given.sensitive, known: isCertain(given) };
  if (!flat.known) return flat;
  for (const one of elementsOf(given)) {
    if (one.type.kind === "dynamic" && !isKnown(one)) flat.known = false;
    if (isNull(one) || !isSequence(one.type)) {
      flat.elements.push(one);
      continue;
    }
    const inner = isKnown(one) ? flattened(one) : { elements: [], sensitive: one.sensitive, known: false };
    flat.sensitive ||= inner.sensitive;
    flat.known &&= inner.known;
    flat.elements.push(...inner.elements);
  }
  return flat;
}

const isCertain = (given: Value): boolean =>
  given.type.kind !== "set" || !given.containsUnknown || elementsOf(given).length <= 1;

function flattenType(given: Value): Type {
  if (given.containsUnknown) return DYNAMIC;
  if (!isSequence(given.type))
    throw new FunctionError(`a list, set or tuple is required, not ${typeName(given.type)}`, 0);
  return tuple(flattened(given).elements).type;
}

function flatten(given: Value): Value {
  if (!isSequence(given.type))
    throw new FunctionError(`a list, set or tuple is required, not ${typeName(given.type)}`, 0);
  const { elements, sensitive, known } = flattened(given);
  return markSensitive(known ? tuple(elements) : UNKNOWN, sensitive);
}

function position(given: Value, wanted: Value): Value {
  if (given.type.kind !== "list" && given.type.kind !== "tuple")
    throw new FunctionError("a list or tuple is required", 0);
  for (const [index, one] of elementsOf(given).entries()) {
    const equal = equalValues(one, wanted);
    if (!isKnown(equal)) return unknown(NUMBER);
    if (equal.content === true) return number(countNum(index));
  }
  throw new FunctionError("the list has no such element");
}

function matchKeys([values, keys, wanted]: Args, type: Type): Value {
  const common = commonType([keys.type, wanted.type], "keys and searchset");
  if (elementsOf(values).length !== elementsOf(keys).length) {
    throw new FunctionError("values and keys must have the same length");
  }
  const searched = elementsOf(asType(wanted, common));
  const converted = asType(keys, common);
  if (searched.length > 0 && (values.containsUnknown || converted.containsUnknown)) return unknown(type);
  const found: Value[] = [];
  for (const [index, key] of elementsOf(converted).entries()) {
    for (const one of searched) {
      const equal = equalValues(key, one);
      if (!isKnown(equal)) return sequence([], type);
      if (equal.content !== true) continue;
      found.push(elementsOf(values)[index]!);
      break;
    }
  }
  return sequence(found, type);
}

const NOT_ONE = "a list, set or tuple of one element, or none, is required";

function oneType(given: Value): Type {
  if (given.type.kind === "list" || given.type.kind === "set") return given.type.element;
  if (given.type.kind === "tuple" && given.type.elements.length < 2) return given.type.elements[0] ?? DYNAMIC;
  throw new FunctionError(NOT_ONE, 0);
}

function one(given: Value, type: Type): Value {
  if (!isCertain(given)) return unknown(type);
  const elements = elementsOf(given);
  if (elements.length > 1) throw new FunctionError(NOT_ONE, 0);
  return elements[0] ?? nullOf(type);
}

function reverseType(given: Value): Type {
  const { type } = given;
  if (type.kind === "tuple") return { kind: "tuple", elements: [...type.elements].reverse() };
  if (type.kind === "list" || type.kind === "set") return listOf(type.element);
  throw new FunctionError(`a list or tuple is required, not ${typeName(type)}`, 0);
}

/** The bounds of a slice, undefined where they are not known. */
function sliceBounds([given, first, last]: Args): [number | undefined, number | undefined] {
  const length = isKnown(given)
    ? elementsOf(given).length
    : given.type.kind === "tuple"
      ? given.type.elements.length
      : Infinity;
  const bound = (value: Value, argument: number): number | undefined => {
    if (!isKnown(value)) return undefined;
    const at = integerOf(value, argument);
    if (at >= 0 && at <= length) return at;
    throw new FunctionError(`it must be from 0 to the length of the list, which is ${length}`, argument);
  };
  const bounds: [number | undefined, number | undefined] = [bound(first, 1), bound(last, 2)];
  if (bounds[0] !== undefined && bounds[1] !== undefined && bounds[0] > bounds[1]) {
    throw new FunctionError("the start lies behind the end", 1);
  }
  return bounds;
}

function sliceType(args: Args): Type {
  const { type } = args[0];
  if (type.kind !== "list" && type.kind !== "tuple") {
    const hint = type.kind === "set" ? ": use tolist() first" : "";
    throw new FunctionError(`a list or tuple is required, not ${typeName(type)}${hint}`, 0);
  }
  const [start, end] = sliceBounds(args);
  if (!("elements" in type)) return type;
  return start === undefined || end === undefined ? DYNAMIC : tupleOf(type.elements.slice(start, end));
}

const anyValue = { type: DYNAMIC, dynamic: true, unknown: true, nullable: true };

export const COLLECTION_FUNCTIONS: FunctionTable = {
  alltrue: fn({ list: listOf(BOOL) }, BOOL, ([given]) => allTrue(elementsOf(given))),
  anytrue: fn({ list: listOf(BOOL) }, BOOL, ([given]) => anyTrue(elementsOf(given))),
  chunklist: fn(
    { list: marked(listOf(DYNAMIC)), size: marked(NUMBER) },
    ([given]) => listOf(given.type),
    ([given, size]) => chunks(given, size),
  ),
  coalesce: fn(
    {},
    (args) =>
      commonType(
        args.map(({ type }) => type),
        "the arguments",
      ),
    coalesce,
    {
      rest: { vals: anyValue },
    },
  ),
  coalescelist: fn({}, coalesceListType, coalesceList, { rest: { vals: anyValue } }),
  compact: fn({ list: listOf(STRING) }, listOf(STRING), ([given]) => compact(given)),
  concat: fn({}, concatType, concat, { rest: { seqs: marked(DYNAMIC) } }),
  contains: fn({ list: DYNAMIC, value: DYNAMIC }, BOOL, ([given, wanted]) => contains(given, wanted)),
  distinct: fn(
    { list: listOf(DYNAMIC) },
    ([given]) => given.type,
    ([given], type) => distinct(given, type),
  ),
  element: nullableFn({ list: marked(DYNAMIC), index: NUMBER }, elementType, element),
  flatten: fn(
    { list: marked(DYNAMIC) },
    ([given]) => flattenType(given),
    ([given]) => flatten(given),
  ),
  index: fn({ list: DYNAMIC, value: DYNAMIC }, NUMBER, ([given, wanted]) => position(given, wanted)),
  length: fn({ value: { ...anyValue, nullable: false, marked: true } }, NUMBER, ([given]) => lengthOf(given)),
  matchkeys: fn(
    { values: listOf(DYNAMIC), keys: listOf(DYNAMIC), searchset: listOf(DYNAMIC) },
    ([values]) => values.type,
    matchKeys,
  ),
  one: nullableFn(
    { list: DYNAMIC },
    ([given]) => oneType(given),
    ([given], type) => one(given, type),
  ),
  reverse: fn(
    { list: marked(DYNAMIC) },
    ([given]) => reverseType(given),
    ([given], type) => markSensitive(sequence([...elementsOf(given)].reverse(), type), given.sensitive),
  ),
  slice: fn({ list: marked(DYNAMIC), start_index: NUMBER, end_index: NUMBER }, sliceType, (args, type) =>
    markSensitive(sequence(elementsOf(args[0]).slice(...sliceBounds(args)), type), args[0].sensitive),
  ),
};
