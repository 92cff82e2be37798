import {
  convert,
  DYNAMIC,
  isLengthCertain,
  isSequence,
  list,
  listOf,
  type Marks,
  NUMBER,
  ownMarks,
  type Type,
  tuple,
  tupleOf,
  typeName,
  UNKNOWN,
  unify,
  type Value,
} from "../../values";
import type { Args } from "./definition";
import {
  blaming,
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
    (arg, index) => (type.kind === "list" ? blaming(index, () => convert(arg.unmark(), type)) : arg).elements,
  );
  return sequence(elements, type).withMarks(marks);
}

function chunks([given, size]: Args): Value {
  const width = integerOf(size.unmark(), 1);
  if (width < 0) throw new FunctionError("the size of the pieces is not negative", 1);
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
  return type.elements[wrapped(integerOf(index, 1), type.elements.length)]!;
}

/** Beyond the end the elements begin again; below zero they count from the end. */
function wrapped(index: number, length: number): number {
  if (length === 0) throw new FunctionError("an empty list has no elements", 0);
  return ((index % length) + length) % length;
}

function element([given, index]: Args): Value {
  const elements = given.elements;
  return elements[wrapped(integerOf(index, 1), elements.length)]!.withMarks(given.marks);
}

/** Lists in lists, at any depth, as one; undefined when an unknown list stands in the way. */
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

function flattenType([given]: Args): Type {
  if (given.hasUnknown) return DYNAMIC;
  if (!isSequence(given.type)) throw wrongType("a list, set or tuple", given.type);
  return tuple(flattened(given).elements).type;
}

function flatten([given]: Args): Value {
  if (!isSequence(given.type)) throw wrongType("a list, set or tuple", given.type);
  const { elements, marks, isKnown } = flattened(given);
  return (isKnown ? tuple(elements) : UNKNOWN).withMarks(marks);
}

function reverseType([given]: Args): Type {
  const { type } = given;
  if (type.kind === "tuple") return { kind: "tuple", elements: [...type.elements].reverse() };
  if (type.kind === "list" || type.kind === "set") return listOf(type.element);
  throw wrongType("a list or tuple", type);
}

/** The bounds of a slice, undefined where they are not known. */
function sliceBounds([given, first, last]: Args): [number | undefined, number | undefined] {
  const length = given.isKnown
    ? given.elements.length
    : given.type.kind === "tuple"
      ? given.type.elements.length
      : Infinity;
  const bound = (value: Value, argument: number): number | undefined => {
    if (!value.isKnown) return undefined;
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
  slice: fn({ list: marked(DYNAMIC), start_index: NUMBER, end_index: NUMBER }, sliceType, (args, type) =>
    sequence(args[0].elements.slice(...sliceBounds(args)), type).withMarks(args[0].marks),
  ),
};

export = LIST_FUNCTIONS;
