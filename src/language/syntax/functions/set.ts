import {
  convert,
  DYNAMIC,
  isCollection,
  isRawEqual,
  lengthRange,
  list,
  listOf,
  ownMarks,
  refine,
  set,
  setOf,
  type Type,
  tuple,
  tupleOf,
  unify,
  unknown,
  type Value,
} from "../../values";
import { blaming, FunctionError, type FunctionTable, fn, wrongType } from "./function";

type Combine = (left: readonly Value[], right: readonly Value[]) => readonly Value[];

const isWithin = (one: Value, others: readonly Value[]): boolean =>
  others.some((other) => isRawEqual(one, other));

function combinedType(args: readonly Value[]): Type {
  const elements = args
    .filter((arg) => !(arg.isKnown && arg.elements.length === 0 && elementOf(arg).kind === "dynamic"))
    .map(elementOf);
  if (elements.length === 0) return setOf(DYNAMIC);
  const common = unify(elements);
  if (common === undefined) throw new FunctionError("the elements of the sets must have a common type");
  return setOf(common);
}

const elementOf = (given: Value): Type => (isCollection(given.type) ? given.type.element : DYNAMIC);

/** An operation on sets; one that an unknown element could turn round waits until all is known. */
const operation = (names: string, combine: Combine, isWaiting: boolean, isVariadic = true) => {
  const [first, ...others] = names
    .split(" ")
    .map((name) => [name, { type: setOf(DYNAMIC), canBeDynamic: true }] as const);
  const rest = isVariadic ? { rest: Object.fromEntries(others) } : {};
  return fn(
    Object.fromEntries(isVariadic ? [first!] : [first!, ...others]),
    combinedType,
    (args, type) => {
      const sets = args.map((arg, index) => blaming(index, () => convert(arg, type)));
      if (isWaiting && sets.some((one) => one.hasUnknown)) return unknown(type);
      const combined = sets.map((one) => one.elements).reduce(combine);
      return set(combined, isCollection(type) ? type.element : DYNAMIC);
    },
    rest,
  );
};

function productType(args: readonly Value[]): Type {
  if (args.length < 2) throw new FunctionError("at least two sets are needed");
  const elements = args.map(({ type }, index): Type => {
    if (type.kind === "set" || type.kind === "list") return type.element;
    if (type.kind !== "tuple") throw wrongType("a set or list", type, index);
    if (type.elements.length === 0) return DYNAMIC;
    const common = unify(type.elements);
    if (common === undefined) throw new FunctionError("all elements must have a common type", index);
    return common;
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
    const converted = arg.elements.map((one) => blaming(index, () => convert(one, types[index]!)));
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

const SET_FUNCTIONS: FunctionTable = {
  setintersection: operation(
    "first_set other_sets",
    (left, right) => left.filter((one) => isWithin(one, right)),
    true,
  ),
  setproduct: fn({}, productType, product, {
    rest: { sets: { type: DYNAMIC, canBeUnknown: true, canBeMarked: true } },
  }),
  setsubtract: operation("a b", (left, right) => left.filter((one) => !isWithin(one, right)), true, false),
  setunion: operation("first_set other_sets", (left, right) => [...left, ...right], false),
};

export = SET_FUNCTIONS;
