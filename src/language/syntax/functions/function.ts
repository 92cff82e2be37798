import { ConversionError, type Knowledge, type Type, type Value } from "../../values";
import type { Evaluation } from "../evaluation";
import type { Call } from "../syntax";

/** What a function takes in one place. Without options an unknown argument makes the result unknown, null is an error. */
export interface Parameter {
  readonly type: Type;
  /** Null is a value like any other. */
  readonly nullable?: boolean;
  /** The function handles unknown values itself. */
  readonly unknown?: boolean;
  /** The function handles values of no known type itself. */
  readonly dynamic?: boolean;
  /** The function handles sensitive marks itself; otherwise they go from the arguments to the result. */
  readonly marked?: boolean;
}

/** The arguments of a call, as many as the function has parameters; `callFunction` sees to that. */
export type Args = readonly [Value, Value, Value, ...Value[]];

/** A function of the language. The shared mechanism (`call.ts`) converts arguments and carries unknown and sensitive. */
export interface Definition {
  /** By name, in order. */
  readonly params: readonly (readonly [name: string, parameter: Parameter])[];
  /** Takes all further arguments. */
  readonly rest: readonly [name: string, parameter: Parameter] | undefined;
  /** The type of the result, where need be from the arguments. */
  readonly returns: Type | ((args: Args) => Type);
  /** What holds for the result even when it is unknown. */
  readonly refine: Knowledge;
  /** Computes the result. The type is what `returns` gave. */
  readonly call: (args: Args, type: Type) => Value;
}

/** A function that decides itself whether and how to evaluate its arguments: `try`, `can`. */
export interface SpecialForm {
  readonly special: (call: Call, evaluation: Evaluation) => Value;
}

export type FunctionTable = Readonly<Record<string, Definition | SpecialForm>>;

/** A function's complaint; the position says about which argument. */
export class FunctionError extends Error {
  override readonly name = "FunctionError";

  constructor(
    /** A phrase without a full stop. */
    reason: string,
    readonly argument?: number,
  ) {
    super(reason);
  }
}

interface Options {
  readonly rest?: Readonly<Record<string, Type | Parameter>>;
  readonly refine?: Knowledge;
}

const parameter = ([name, given]: [string, Type | Parameter]): [string, Parameter] => [
  name,
  "kind" in given ? { type: given } : given,
];

/** A function whose result is never null. */
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
    refine: refine ?? { notNull: true },
    call,
  };
}

/** A function whose result may be null, and of which nothing else is known before its arguments are. */
export const nullableFn: typeof fn = (params, returns, call, options) =>
  fn(params, returns, call, { ...options, refine: {} });

/** A parameter that handles everything but errors itself. */
export const open = (type: Type): Parameter => ({
  type,
  nullable: true,
  unknown: true,
  dynamic: true,
  marked: true,
});

/** A parameter whose marks the function carries itself, because those inside an argument stay inside the result. */
export const marked = (type: Type): Parameter => ({ type, marked: true });

/** Runs a conversion on behalf of a function, and blames the argument when it fails. */
export function blaming<T>(argument: number | undefined, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof ConversionError) throw new FunctionError(error.message, argument);
    throw error;
  }
}
