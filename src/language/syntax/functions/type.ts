import {
  BOOL,
  bool,
  ConversionError,
  convert,
  DYNAMIC,
  ephemeralAsNull,
  FALSE,
  isConvertible,
  listOf,
  mapOf,
  NUMBER,
  SENSITIVE,
  STRING,
  setOf,
  TRUE,
  type Type,
  tryConvert,
  typeName,
  UNKNOWN,
  unknown,
  type Value,
} from "../../values";
import type { Evaluation } from "../evaluation";
import type { NodeOf } from "../syntax";
import { FunctionError, type FunctionTable, nullableFn, open } from "./function";

/** Returns the definition of a function that converts to a type, such as `tostring` or `tolist`. */
const conversionTo = (wanted: Type) =>
  nullableFn(
    { v: open(DYNAMIC) },
    ([value]) => {
      if (isConvertible(value.type, wanted)) return wanted;
      throw new FunctionError(cannot(value, wanted), 0);
    },
    ([value]) => {
      if (!value.isKnown) return convert(value, wanted).withMarks(value.marks);
      const converted = tryConvert(value, wanted);
      if (!(converted instanceof ConversionError)) return converted;
      const why = value.containedMarks ? "" : `: ${converted.message}`;
      throw new FunctionError(cannot(value, wanted) + why, 0);
    },
  );

const cannot = (value: Value, wanted: Type): string =>
  `cannot convert ${value.marks !== 0 ? "this sensitive " : ""}${typeName(value.type)} to ${typeName(wanted, "constraint")}`;

/**
 * Returns the value of `try`: the first argument without problems. If this argument is partly unknown, the evaluation can still
 * fail during apply, so the result is unknown.
 */
function tryEach({ args, range, name }: NodeOf<"call">, evaluation: Evaluation): Value {
  const reasons: string[] = [];
  for (const arg of args) {
    const { value, problems } = evaluation.attempt(arg);
    if (problems.length === 0) return !value.hasUnknown ? value : UNKNOWN;
    reasons.push(...problems.map(({ summary, detail }) => `\n- ${summary}: ${detail}`));
  }
  const why =
    args.length === 0 ? "it needs at least one argument" : `no argument has a value:${reasons.join("")}`;
  return evaluation.fail("Error in function call", `The call of "${name}" failed: ${why}`, range);
}

function evaluateCan({ args, range, name }: NodeOf<"call">, evaluation: Evaluation): Value {
  const [arg] = args;
  if (arg === undefined || args.length > 1) {
    return evaluation.fail("Error in function call", `The function "${name}" takes one argument.`, range);
  }
  const { value, problems } = evaluation.attempt(arg);
  if (problems.length > 0) return FALSE;
  return !value.hasUnknown ? TRUE : unknown(BOOL);
}

/** Returns the definition of a function that changes the marks of a value and keeps its type. */
const ofSameType = (call: (value: Value) => Value) =>
  nullableFn(
    { value: open(DYNAMIC) },
    ([value]) => value.type,
    ([value]) => call(value),
  );

const TYPE_FUNCTIONS: FunctionTable = {
  can: { special: evaluateCan },
  ephemeralasnull: ofSameType(ephemeralAsNull),
  issensitive: nullableFn({ value: open(DYNAMIC) }, BOOL, ([value]) =>
    value.isSensitive || value.isKnown ? bool(value.isSensitive) : unknown(BOOL),
  ),
  nonsensitive: ofSameType((value) => value.unmark(SENSITIVE)),
  sensitive: ofSameType((value) => value.withMarks(SENSITIVE)),
  tobool: conversionTo(BOOL),
  tolist: conversionTo(listOf(DYNAMIC)),
  tomap: conversionTo(mapOf(DYNAMIC)),
  tonumber: conversionTo(NUMBER),
  toset: conversionTo(setOf(DYNAMIC)),
  tostring: conversionTo(STRING),
  try: { special: tryEach },
};

export = TYPE_FUNCTIONS;
