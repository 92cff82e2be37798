import {
  BOOL,
  countNum,
  DYNAMIC,
  distinctValues,
  equalValues,
  FALSE,
  isConvertible,
  isLengthCertain,
  isSameType,
  isSequence,
  lengthRange,
  list,
  listOf,
  NUMBER,
  nullOf,
  number,
  refine,
  STRING,
  TRUE,
  type Type,
  unknown,
  type Value,
} from "../../values";
import type { Args } from "./definition";
import {
  commonType,
  convertFor,
  FunctionError,
  type FunctionTable,
  fn,
  nullableFn,
  sequence,
  wrongType,
} from "./function";
import { graphemes } from "./letters";

/**
 * Returns the number of characters of a text, or of elements of another value. For an unknown value, the result is an unknown
 * number with known bounds.
 */
function lengthOf([given]: Args): Value {
  const { kind } = given.type;
  if (kind === "dynamic") return unknown(NUMBER).withMarks(given.marks);
  if (kind === "number" || kind === "bool") throw wrongType("a text, a collection or an object", given.type);
  const [min, max] = kind === "string" ? textLength(given) : lengthRange(given);
  return refine(unknown(NUMBER), { isNotNull: true, min: countNum(min), max }).withMarks(given.marks);
}

function textLength(given: Value): [number, number] {
  const { length } = graphemes(given.isKnown ? given.text : given.refinement.prefix);
  return [length, given.isKnown ? length : Infinity];
}

function allTrue([given]: Args): Value {
  for (const one of given.elements) {
    if (!one.isKnown) return unknown(BOOL);
    if (one.isNull || !one.isTrue) return FALSE;
  }
  return TRUE;
}

function anyTrue([given]: Args): Value {
  const values = given.elements;
  if (values.some((one) => one.isKnown && !one.isNull && one.isTrue)) return TRUE;
  return values.some((one) => !one.isKnown) ? unknown(BOOL) : FALSE;
}

function coalesce(args: readonly Value[], type: Type): Value {
  for (const arg of args) {
    const value = isConvertible(arg.type, type) ? convertFor(arg, type) : arg;
    if (!value.isKnown) return unknown(type);
    if (!value.isNull && !(type.kind === "string" && value.text === "")) return value;
  }
  throw new FunctionError("every argument is null or an empty string");
}

function coalesceListType(args: readonly Value[]): Type {
  if (args.length === 0) throw new FunctionError("at least one argument is needed");
  if (args.some((arg) => !arg.isKnown)) return DYNAMIC;
  const wrong = args.findIndex(({ type }) => type.kind !== "list" && type.kind !== "tuple");
  if (wrong >= 0) throw new FunctionError("a list or tuple is required", wrong);
  return args.every(({ type }) => isSameType(type, args[0]!.type)) ? args[0]!.type : DYNAMIC;
}

function coalesceList(args: readonly Value[], type: Type): Value {
  for (const arg of args) {
    if (!arg.isKnown) return unknown(type);
    if (!arg.isNull && arg.elements.length > 0) return arg;
  }
  throw new FunctionError("every argument is null or empty");
}

function compact([given]: Args): Value {
  if (given.hasUnknown) return unknown(listOf(STRING));
  return list(
    given.elements.filter((one) => !one.isNull && one.text !== ""),
    STRING,
  );
}

function contains([given, wanted]: Args): Value {
  if (!isSequence(given.type)) throw new FunctionError("a list, set or tuple is required", 0);
  let isUndecided = false;
  for (const one of given.elements) {
    const equal = equalValues(wanted, one);
    if (equal.content === true) return TRUE;
    isUndecided ||= !equal.isKnown;
  }
  return isUndecided ? unknown(BOOL) : FALSE;
}

function distinct([given]: Args, type: Type): Value {
  if (given.hasUnknown) return unknown(type);
  return sequence(distinctValues(given.elements), type);
}

function position([given, wanted]: Args): Value {
  if (given.type.kind !== "list" && given.type.kind !== "tuple")
    throw new FunctionError("a list or tuple is required", 0);
  for (const [index, one] of given.elements.entries()) {
    const equal = equalValues(one, wanted);
    if (!equal.isKnown) return unknown(NUMBER);
    if (equal.content === true) return number(countNum(index));
  }
  throw new FunctionError("the list has no such element");
}

function matchKeys([values, keys, wanted]: Args, type: Type): Value {
  const common = commonType([keys.type, wanted.type], "keys and searchset");
  if (values.elements.length !== keys.elements.length) {
    throw new FunctionError("values and keys must have the same length");
  }
  const searched = convertFor(wanted, common).elements;
  const converted = convertFor(keys, common);
  if (searched.length > 0 && (values.hasUnknown || converted.hasUnknown)) return unknown(type);
  const found: Value[] = [];
  for (const [index, key] of converted.elements.entries()) {
    for (const one of searched) {
      const equal = equalValues(key, one);
      if (!equal.isKnown) return sequence([], type);
      if (equal.content !== true) continue;
      found.push(values.elements[index]!);
      break;
    }
  }
  return sequence(found, type);
}

const NOT_ONE = "a list, set or tuple of one element, or none, is required";

function oneType([given]: Args): Type {
  if (given.type.kind === "list" || given.type.kind === "set") return given.type.element;
  if (given.type.kind === "tuple" && given.type.elements.length < 2) return given.type.elements[0] ?? DYNAMIC;
  throw new FunctionError(NOT_ONE, 0);
}

function one([given]: Args, type: Type): Value {
  if (!isLengthCertain(given)) return unknown(type);
  const elements = given.elements;
  if (elements.length > 1) throw new FunctionError(NOT_ONE, 0);
  return elements[0] ?? nullOf(type);
}

const anyValue = { type: DYNAMIC, canBeDynamic: true, canBeUnknown: true, canBeNull: true };

const COLLECTION_FUNCTIONS: FunctionTable = {
  alltrue: fn({ list: listOf(BOOL) }, BOOL, allTrue),
  anytrue: fn({ list: listOf(BOOL) }, BOOL, anyTrue),
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
  compact: fn({ list: listOf(STRING) }, listOf(STRING), compact),
  contains: fn({ list: DYNAMIC, value: DYNAMIC }, BOOL, contains),
  distinct: fn({ list: listOf(DYNAMIC) }, ([given]) => given.type, distinct),
  index: fn({ list: DYNAMIC, value: DYNAMIC }, NUMBER, position),
  length: fn({ value: { ...anyValue, canBeNull: false, canBeMarked: true } }, NUMBER, lengthOf),
  matchkeys: fn(
    { values: listOf(DYNAMIC), keys: listOf(DYNAMIC), searchset: listOf(DYNAMIC) },
    ([values]) => values.type,
    matchKeys,
  ),
  one: nullableFn({ list: DYNAMIC }, oneType, one),
};

export = COLLECTION_FUNCTIONS;
