import type { RefinementUpdate, Type, Value } from "../../values";

/** A parameter. By default an unknown argument makes the result unknown, and null is an error. */
export interface Parameter {
  readonly type: Type;
  /** The function accepts null. */
  readonly canBeNull?: boolean;
  /** The function handles unknown values. */
  readonly canBeUnknown?: boolean;
  /** The function handles values of unknown type. */
  readonly canBeDynamic?: boolean;
  /** The function handles sensitive marks; otherwise they propagate from the arguments to the result. */
  readonly canBeMarked?: boolean;
}

/** The arguments of a call, one for each parameter; `callFunction` guarantees that. */
export type Args = readonly [Value, Value, Value, ...Value[]];

/** A function of the language. `call.ts` converts arguments and propagates unknown and sensitive. */
export interface Definition {
  /** The parameters with their names, in order. */
  readonly params: readonly (readonly [name: string, parameter: Parameter])[];
  /** Variadic: accepts all further arguments. */
  readonly rest: readonly [name: string, parameter: Parameter] | undefined;
  /** The result type, which may depend on the arguments. */
  readonly returns: Type | ((args: Args) => Type);
  /** Refinements of the result, valid even if it is unknown. */
  readonly refine: RefinementUpdate;
  /** Computes the result. Its type is the result of `returns`. */
  readonly call: (args: Args, type: Type) => Value;
}
