import {
  ConversionError,
  list,
  type RefinementUpdate,
  STRING,
  string,
  type Type,
  toInteger,
  tryConvert,
  tuple,
  typeName,
  unify,
  type Value,
} from "../../values";
import type { Evaluation } from "../evaluation";
import type { NodeOf } from "../syntax";
import type { Definition, Parameter } from "./definition";

/** A function that controls the evaluation of its arguments, such as `try` or `can`. */
export interface SpecialForm {
  readonly special: (call: NodeOf<"call">, evaluation: Evaluation) => Value;
}

export type FunctionTable = Readonly<Record<string, Definition | SpecialForm>>;

/** The error of a function call, with the index of the invalid argument, if there is one. */
export class FunctionError extends Error {
  override readonly name = "FunctionError";

  constructor(
    /** A phrase with the reason, without a full stop. */
    reason: string,
    readonly argument?: number,
  ) {
    super(reason);
  }
}

/** Returns the error for an argument of the wrong type. */
export const wrongType = (wanted: string, type: Type, argument = 0): FunctionError =>
  new FunctionError(`${wanted} is required, not ${typeName(type)}`, argument);

interface Options {
  readonly rest?: Readonly<Record<string, Type | Parameter>>;
  readonly refine?: RefinementUpdate;
}

const parameter = ([name, given]: [string, Type | Parameter]): [string, Parameter] => [
  name,
  "kind" in given ? { type: given } : given,
];

/** Returns the definition of a function whose result is never null. */
export function fn(
  params: Readonly<Record<string, Type | Parameter>>,
  returns: Definition["returns"],
  call: Definition["call"],
  { rest, refine }: Options = {},
): Definition {
  return {
    params: Object.entries(params).map(parameter),
    rest: rest && Object.entries(rest).map(parameter)[0],
    returns,
    refine: refine ?? { isNotNull: true },
    call,
  };
}

/** Returns the definition of a function whose result can be null. */
export const nullableFn: typeof fn = (params, returns, call, options) =>
  fn(params, returns, call, { ...options, refine: {} });

/**
 * Returns the definition of a function that receives texts and returns a text. @param names the names of the parameters,
 * separated by spaces
 */
export const textFn = (names: string, compute: (...texts: string[]) => string): Definition =>
  fn(Object.fromEntries(names.split(" ").map((name) => [name, STRING])), STRING, (args) =>
    string(compute(...args.map((one) => one.text))),
  );

/** Returns a parameter that accepts all values, including unknown values, sensitive values and null. */
export const open = (type: Type): Parameter => ({
  type,
  canBeNull: true,
  canBeUnknown: true,
  canBeDynamic: true,
  canBeMarked: true,
});

/** Returns a parameter whose argument keeps its marks, so that the function can keep the marks of single elements. */
export const marked = (type: Type): Parameter => ({ type, canBeMarked: true });

/** Returns a value converted to a type. @throws FunctionError for the argument */
export function convertFor(value: Value, type: Type, argument?: number): Value {
  const result = tryConvert(value, type);
  if (!(result instanceof ConversionError)) return result;
  throw new FunctionError(result.message, argument);
}

/** Returns a known number as a JS integer. @throws FunctionError for the argument */
export function integerOf(value: Value, argument: number): number {
  const integer = toInteger(value.num);
  if (integer === undefined) throw new FunctionError("a whole number is required", argument);
  return integer;
}

/** Returns a list or a tuple with these elements, as the type requires. */
export const sequence = (elements: readonly Value[], type: Type): Value =>
  type.kind === "list" ? list(elements, type.element) : tuple(elements);

/** Returns the type to which all these types can be converted. @throws FunctionError if there is none */
export function commonType(types: readonly Type[], what: string, argument?: number): Type {
  const common = unify(types);
  if (common === undefined) throw new FunctionError(`${what} must have a common type`, argument);
  return common;
}
