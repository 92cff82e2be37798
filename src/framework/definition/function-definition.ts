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
 * A function for expressions: `provider::acme::name(…)`. Equal arguments give equal results, and the function sends no request.
 * The definition describes each parameter like an attribute, in the order of the arguments.
 */
export interface FunctionDefinition<P extends Attributes = Attributes> extends FunctionSchema {
  readonly name: string;
  readonly parameters: P;
  readonly returns: Attribute;
  /**
   * Returns the result of the function. All arguments are known and have passed the checks of their parameters.
   * @throws InvalidArgument for arguments without a result
   */
  call(args: Declared<P>): Value;
}

/** The error of a function that has no result for one of its arguments. */
export class InvalidArgument extends Error {
  override readonly name = "InvalidArgument";

  /** @param problem a sentence that contains the problem and the valid values */
  constructor(
    readonly parameter: string,
    problem: string,
  ) {
    super(problem);
  }
}

/** Returns the definition unchanged, so that TypeScript infers the types of the arguments from the parameters. */
export const defineFunction = <P extends Attributes>(definition: FunctionDefinition<P>): FunctionDefinition =>
  definition as FunctionDefinition;

/**
 * Calls a function and returns its result or error. Null arguments and a wrong number of arguments are errors, although hosts
 * already reject them.
 */
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
