import {
  DYNAMIC,
  isCollection,
  isLengthCertain,
  isRawEqual,
  isSequence,
  lengthRange,
  list,
  listOf,
  type Marks,
  NUMBER,
  ownMarks,
  refine,
  set,
  setOf,
  type Type,
  toBigInt,
  tuple,
  tupleOf,
  typeName,
  UNKNOWN,
  unify,
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
  integerOf,
  marked,
  nullableFn,
  sequence,
  wrongType,
} from "./function";

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
      throw wrongType("a list or tuple", type, index);
    } else if (!Array.isArray(content)) return DYNAMIC;
    else elements.push(...content.map(() => type.element));
  }
  return { kind: "tuple", elements };
}

function concat(args: readonly Value[], type: Type): Value {
  const marks = ownMarks(args);
  const elements = args.flatMap(
    (arg, index) => (type.kind === "list" ? convertFor(arg.unmark(), type, index) : arg).elements,
  );
  return sequence(elements, type).withMarks(marks);
}

function chunks([given, size]: Args): Value {
  const width = integerOf(size.unmark(), 1);
  if (width < 0) throw new FunctionError("the size of the chunks must not be negative", 1);
  const elements = given.elements;
  const step = width === 0 ? Math.max(elements.length, 1) : width;
  const pieces: Value[] = [];
  for (let at = 0; at < elements.length; at += step)
    pieces.push(sequence(elements.slice(at, at + step), given.type));
  return list(pieces, given.type).withMarks(given.marks | size.marks);
}

function elementType([given, index]: Args): Type {
  const { type } = given;
  if (type.kind === "list") return type.element;
  if (type.kind !== "tuple") throw wrongType("a list or tuple", type);
  if (!index.isKnown) return DYNAMIC;
  const at = wrapped(index, type.elements.length);
  if (at < 0)
    throw new FunctionError("a tuple has no element at a negative index; convert it with tolist()", 1);
  return type.elements[at]!;
}

/**
 * Returns the position that `element` uses: the remainder of the index divided by the length. For a negative index, the position
 * is negative or zero. As in Terraform 1.11, a negative position counts from the end of a list, and is an error for a tuple.
 */
function wrapped(index: Value, length: number): number {
  if (length === 0) throw new FunctionError("an empty list has no elements", 0);
  const whole = toBigInt(index.num);
  if (whole === undefined || BigInt.asIntN(64, whole) !== whole)
    throw new FunctionError("a whole number is required", 1);
  return Number(whole % BigInt(length));
}

function element([given, index]: Args): Value {
  const elements = given.elements;
  return elements.at(wrapped(index, elements.length))!.withMarks(given.marks);
}

/** Returns the elements of nested lists at any depth as one list. `isKnown` is false if one of the nested lists is unknown. */
function flattened(given: Value): { elements: Value[]; marks: Marks; isKnown: boolean } {
  const flat = { elements: [] as Value[], marks: given.marks, isKnown: isLengthCertain(given) };
  if (!flat.isKnown) return flat;
  for (const one of given.elements) {
    if (one.type.kind === "dynamic" && !one.isKnown) flat.isKnown = false;
    if (one.isNull || !isSequence(one.type)) {
      flat.elements.push(one);
      continue;
    }
    const inner = one.isKnown ? flattened(one) : { elements: [], marks: one.marks, isKnown: false };
    flat.marks |= inner.marks;
    flat.isKnown &&= inner.isKnown;
    flat.elements.push(...inner.elements);
  }
  return flat;
}

/** Returns the dynamic type. The type of the result depends on the elements, which are known only together with the value. */
function flattenType([given]: Args): Type {
  if (given.hasUnknown || isSequence(given.type)) return DYNAMIC;
  throw wrongType("a list, set or tuple", given.type);
}

function flatten([given]: Args): Value {
  const { elements, marks, isKnown } = flattened(given);
  return (isKnown ? tuple(elements) : UNKNOWN).withMarks(marks);
}

function reverseType([given]: Args): Type {
  const { type } = given;
  if (type.kind === "tuple") return { kind: "tuple", elements: [...type.elements].reverse() };
  if (type.kind === "list" || type.kind === "set") return listOf(type.element);
  throw wrongType("a list or tuple", type);
}

/** Returns the start and the end of a slice, each undefined if it is unknown. */
function sliceBounds([given, first, last]: Args): [number | undefined, number | undefined] {
  const lengthOfType = given.type.kind === "tuple" ? given.type.elements.length : Infinity;
  const length = given.isKnown ? given.elements.length : lengthOfType;
  const bound = (value: Value, argument: number): number | undefined => {
    if (!value.isKnown) return undefined;
    const at = integerOf(value, argument);
    if (at >= 0 && at <= length) return at;
    throw new FunctionError(`it must be from 0 to the length of the list, which is ${length}`, argument);
  };
  const bounds: [number | undefined, number | undefined] = [bound(first, 1), bound(last, 2)];
  if (bounds[0] !== undefined && bounds[1] !== undefined && bounds[0] > bounds[1]) {
    throw new FunctionError("the start is after the end", 1);
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

type Combine = (left: readonly Value[], right: readonly Value[]) => readonly Value[];

const isWithin = (one: Value, others: readonly Value[]): boolean =>
  others.some((other) => isRawEqual(one, other));

function combinedType(args: readonly Value[]): Type {
  const elements = args
    .filter((arg) => !(arg.isKnown && arg.elements.length === 0 && elementOf(arg).kind === "dynamic"))
    .map(elementOf);
  if (elements.length === 0) return setOf(DYNAMIC);
  return setOf(commonType(elements, "the elements of the sets"));
}

const elementOf = (given: Value): Type => (isCollection(given.type) ? given.type.element : DYNAMIC);

/** Returns the definition of an operation on sets. @param isWaiting whether an unknown element makes the whole result unknown */
const ofSets = (combine: Combine, isWaiting: boolean) =>
  [
    combinedType,
    (args: readonly Value[], type: Type): Value => {
      const sets = args.map((arg, index) => convertFor(arg, type, index));
      if (isWaiting && sets.some((one) => one.hasUnknown)) return unknown(type);
      const combined = sets.map((one) => one.elements).reduce(combine);
      return set(combined, isCollection(type) ? type.element : DYNAMIC);
    },
  ] as const;

const anySet = { type: setOf(DYNAMIC), canBeDynamic: true };

function productType(args: readonly Value[]): Type {
  if (args.length < 2) throw new FunctionError("at least two sets are needed");
  const elements = args.map(({ type }, index): Type => {
    if (type.kind === "set" || type.kind === "list") return type.element;
    if (type.kind !== "tuple") throw wrongType("a set or list", type, index);
    return type.elements.length === 0 ? DYNAMIC : commonType(type.elements, "all elements", index);
  });
  return (args.some(({ type }) => type.kind === "set") ? setOf : listOf)(tupleOf(elements));
}

const LONGEST_SET = 1024;
const LONGEST_PRODUCT = 2048;

function product(args: readonly Value[], type: Type): Value {
  const marks = ownMarks(args);
  const element = isCollection(type) ? type.element : DYNAMIC;
  const types = element.kind === "tuple" ? element.elements : [];
  if (args.some((arg) => !arg.isKnown || lengthRange(arg)[0] !== lengthRange(arg)[1])) {
    return unknownProduct(args, type).withMarks(marks);
  }
  let rows: Value[][] = [[]];
  for (const [index, arg] of args.entries()) {
    const converted = arg.elements.map((one) => convertFor(one, types[index]!, index));
    rows = rows.flatMap((row) => converted.map((one) => [...row, one]));
  }
  const tuples = rows.map(tuple);
  return (type.kind === "set" ? set(tuples, element) : list(tuples, element)).withMarks(marks);
}

function unknownProduct(args: readonly Value[], type: Type): Value {
  const open = unknown(type);
  let most = 1;
  for (const arg of args) {
    const longest = lengthRange(arg)[1];
    most *= longest;
    if (longest > LONGEST_SET || most > LONGEST_PRODUCT) return open;
  }
  return refine(open, { isNotNull: true, minLength: Math.min(most, 1), maxLength: most });
}

const LIST_FUNCTIONS: FunctionTable = {
  chunklist: fn(
    { list: marked(listOf(DYNAMIC)), size: marked(NUMBER) },
    ([given]) => listOf(given.type),
    chunks,
  ),
  concat: fn({}, concatType, concat, { rest: { seqs: marked(DYNAMIC) } }),
  element: nullableFn({ list: marked(DYNAMIC), index: NUMBER }, elementType, element),
  flatten: fn({ list: marked(DYNAMIC) }, flattenType, flatten),
  reverse: fn({ list: marked(DYNAMIC) }, reverseType, ([given], type) =>
    sequence([...given.elements].reverse(), type).withMarks(given.marks),
  ),
  setintersection: fn(
    { first_set: anySet },
    ...ofSets((left, right) => left.filter((one) => isWithin(one, right)), true),
    { rest: { other_sets: anySet } },
  ),
  setproduct: fn({}, productType, product, {
    rest: { sets: { type: DYNAMIC, canBeUnknown: true, canBeMarked: true } },
  }),
  setsubtract: fn(
    { a: anySet, b: anySet },
    ...ofSets((left, right) => left.filter((one) => !isWithin(one, right)), true),
  ),
  setunion: fn({ first_set: anySet }, ...ofSets((left, right) => [...left, ...right], false), {
    rest: { other_sets: anySet },
  }),
  slice: fn({ list: marked(DYNAMIC), start_index: NUMBER, end_index: NUMBER }, sliceType, (args, type) =>
    sequence(args[0].elements.slice(...sliceBounds(args)), type).withMarks(args[0].marks),
  ),
};

export = LIST_FUNCTIONS;
