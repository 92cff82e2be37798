import type { Attribute, Attributes, Declared, FunctionSchema, Value } from "../../schema";

/**
 * A function for expressions: `provider::acme::name(…)`. It is pure: equal arguments give equal results, without a request.
 * Its parameters are described like attributes, whose names, types and checks they have; their order is that of the arguments.
 */
export interface FunctionDefinition<P extends Attributes = Attributes> extends FunctionSchema {
  readonly name: string;
  readonly parameters: P;
  readonly returns: Attribute;
  /**
   * The result for arguments that are wholly known and have passed the checks of the parameters.
   *
   * @throws InvalidArgument for arguments without a result
   */
  call(args: Declared<P>): Value;
}

/** A function has no result for an argument. */
export class InvalidArgument extends Error {
  override readonly name = "InvalidArgument";

  /** @param problem a sentence that says what is wrong and what is valid */
  constructor(
    readonly parameter: string,
    problem: string,
  ) {
    super(problem);
  }
}

/** Infers the types of the arguments. */
export const defineFunction = <P extends Attributes>(definition: FunctionDefinition<P>): FunctionDefinition =>
  definition as FunctionDefinition;
