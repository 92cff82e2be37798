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

/** A function of the language. The shared mechanism (`call.ts`) converts arguments and carries unknown and sensitive. */
export interface Definition {
  /** By name, in order. */
  readonly params: Readonly<Record<string, Parameter>>;
  /** Takes all further arguments. */
  readonly rest?: readonly [name: string, parameter: Parameter];
  /** The type of the result, where need be from the arguments. */
  readonly returns: Type | ((args: readonly Value[]) => Type);
  /** What holds for the result even when it is unknown. */
  readonly refine?: Knowledge;
  /** Computes the result. The type is what `returns` gave. */
  readonly call: (args: readonly Value[], type: Type) => Value;
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

/** Runs a conversion on behalf of a function, and blames the argument when it fails. */
export function blaming<T>(argument: number, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof ConversionError) throw new FunctionError(error.message, argument);
    throw error;
  }
}

export const NOT_NULL: Knowledge = { notNull: true };
