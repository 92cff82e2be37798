import type { RefinementUpdate, Type, Value } from "../../values";

/** A parameter of a function. By default, an unknown argument makes the result unknown, and null is an error. */
export interface Parameter {
  readonly type: Type;
  /** Whether the argument can be null. If false, null is an error. */
  readonly canBeNull?: boolean;
  /** Whether the function itself handles unknown values of this argument. If false, the result of the function is unknown. */
  readonly canBeUnknown?: boolean;
  /** Whether the function itself handles arguments of an unknown type. */
  readonly canBeDynamic?: boolean;
  /** Whether the function itself handles the marks of this argument. If false, the result has the marks of the argument. */
  readonly canBeMarked?: boolean;
}

/**
 * The arguments of a call. The type has three elements that are never undefined, because `callFunction` passes an argument for
 * each parameter.
 */
export type Args = readonly [Value, Value, Value, ...Value[]];

/**
 * A function of the language. Before the call, `call.ts` converts the arguments. If an argument is unknown or sensitive,
 * `call.ts` also makes the result unknown or sensitive.
 */
export interface Definition {
  /** The names and parameters, in the order of the arguments. */
  readonly params: readonly (readonly [name: string, parameter: Parameter])[];
  /** The name and the parameter for all arguments after the fixed ones; undefined if the function accepts no such arguments. */
  readonly rest: readonly [name: string, parameter: Parameter] | undefined;
  /** The type of the result, or a function that determines this type from the arguments. */
  readonly returns: Type | ((args: Args) => Type);
  /** The refinements of the result, which are also true if the result is unknown. */
  readonly refine: RefinementUpdate;
  /** Returns the result of the function. `type` is the type that `returns` determines. */
  readonly call: (args: Args, type: Type) => Value;
}
