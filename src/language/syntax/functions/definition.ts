import type { RefinementUpdate, Type, Value } from "../../values";

/** A parameter of a function. By default, an unknown argument makes the result unknown, and null is an error. */
export interface Parameter {
  readonly type: Type;
  /** Whether the function accepts null. */
  readonly canBeNull?: boolean;
  /** Whether the function handles unknown values. */
  readonly canBeUnknown?: boolean;
  /** Whether the function handles values of an unknown type. */
  readonly canBeDynamic?: boolean;
  /** Whether the function handles the marks of this argument. Otherwise, the result has the marks of the argument. */
  readonly canBeMarked?: boolean;
}

/**
 * The arguments of a call. `callFunction` guarantees that there is an argument for each parameter, so the type has three
 * elements that are never undefined.
 */
export type Args = readonly [Value, Value, Value, ...Value[]];

/**
 * A function of the language. Before the call, `call.ts` converts the arguments. It also makes the result unknown or sensitive
 * if an argument is.
 */
export interface Definition {
  /** The parameters with their names, in order. */
  readonly params: readonly (readonly [name: string, parameter: Parameter])[];
  /** The variadic parameter, which receives all further arguments. */
  readonly rest: readonly [name: string, parameter: Parameter] | undefined;
  /** The result type, which may depend on the arguments. */
  readonly returns: Type | ((args: Args) => Type);
  /** The refinements of the result. They are also true for an unknown result. */
  readonly refine: RefinementUpdate;
  /** Computes the result. `type` is the type that `returns` determines. */
  readonly call: (args: Args, type: Type) => Value;
}
