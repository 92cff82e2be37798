import {
  type Attribute,
  type Attributes,
  attributeEntries,
  type Declared,
  type FunctionSchema,
  isWhollyKnown,
  UNKNOWN,
  type Value,
} from "../../schema";
import type { FunctionResponse } from "../protocol/protocol";

/**
 * A function for expressions: `provider::acme::name(…)`. Equal arguments give equal results, and the function
 * sends no request. The definition describes the parameters like attributes, in the order of the arguments.
 */
export interface FunctionDefinition<P extends Attributes = Attributes> extends FunctionSchema {
  readonly name: string;
  readonly parameters: P;
  readonly returns: Attribute;
  /**
   * Returns the result. The arguments are wholly known and have passed the checks of the parameters.
   * @throws InvalidArgument for arguments without a result
   */
  call(args: Declared<P>): Value;
}

/** The error of a function that has no result for an argument. */
export class InvalidArgument extends Error {
  override readonly name = "InvalidArgument";

  /** @param problem a sentence with the problem and the valid values */
  constructor(
    readonly parameter: string,
    problem: string,
  ) {
    super(problem);
  }
}

/** Returns the definition. TypeScript infers the types of the arguments from its parameters. */
export const defineFunction = <P extends Attributes>(definition: FunctionDefinition<P>): FunctionDefinition =>
  definition as FunctionDefinition;

/** Calls a function. Hosts already reject nulls and a wrong number of arguments; this function checks both again. */
export function callFunction(definition: FunctionDefinition, args: readonly Value[]): FunctionResponse {
  const parameters = attributeEntries(definition.parameters);
  if (args.length !== parameters.length) return { error: { text: wrongNumber(definition, args.length) } };
  const problems = parameters.flatMap(([name, { presence, text }], argument) => {
    const value = args[argument]!;
    if (value === null)
      return presence === "required" ? [{ text: `The argument ${name} must not be null.`, argument }] : [];
    const problem = isWhollyKnown(value) ? text.check?.(value) : undefined;
    return problem === undefined ? [] : [{ text: problem, argument }];
  });
  if (problems.length > 0) return { error: problems[0]! };
  if (!args.every(isWhollyKnown)) return { result: UNKNOWN };
  const named = Object.fromEntries(parameters.map(([name], index) => [name, args[index]!]));
  try {
    return { result: definition.call(named as Declared<typeof definition.parameters>) };
  } catch (problem) {
    if (!(problem instanceof InvalidArgument)) throw problem;
    const argument = parameters.findIndex(([name]) => name === problem.parameter);
    return { error: { text: problem.message, argument } };
  }
}

function wrongNumber({ name, parameters }: FunctionDefinition, given: number): string {
  const expected = Object.keys(parameters);
  return `The function ${name} takes ${expected.length} argument${expected.length === 1 ? "" : "s"} (${expected.join(", ")}), not ${given}.`;
}
