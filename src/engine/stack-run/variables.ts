import { type Diagnostic, error, warning } from "../../diagnostics";
import {
  applyConstraint,
  type Configuration,
  ConversionError,
  EPHEMERAL,
  type Evaluation,
  ExpressionError,
  evaluate,
  fromJsonDynamic,
  type Marks,
  NO_MARKS,
  nullOf,
  parseExpression,
  SENSITIVE,
  string,
  type Value,
  type VariableDeclaration,
} from "../../language";
import type { VariableInput } from "./context";

const LITERAL_KINDS: ReadonlySet<string> = new Set(["string", "number", "bool"]);

const EMPTY_SCOPE = { resolve: () => undefined };

/** Sets the value of each root variable to the given value or the default. */
export function setVariables(
  variables: Configuration["variables"],
  inputs: Readonly<Record<string, VariableInput>>,
  evaluation: Evaluation,
): Diagnostic[] {
  const undeclared = Object.entries(inputs)
    // TF_VAR_ variables are not reported. All stacks share the environment, so such a variable can belong to another stack.
    .filter(([name, { origin }]) => !variables.has(name) && !origin.startsWith("TF_VAR_"))
    .map(([name, { origin, from }]) => undeclaredVariable(name, origin, from));
  const problems = [...variables.values()].flatMap((declaration) => {
    try {
      const value = variableValue(declaration, inputs[declaration.name]);
      if (value === undefined) return [missingVariable(declaration)];
      evaluation.set(`var.${declaration.name}`, value);
      return [];
    } catch (problem) {
      return [variableProblem(declaration, inputs[declaration.name], problem)];
    }
  });
  return [...undeclared, ...problems];
}

/** Returns the value of a variable; undefined if the variable has no value. */
function variableValue(declaration: VariableDeclaration, input: VariableInput | undefined) {
  const given = input === undefined ? undefined : inputValue(declaration, input);
  const isDefault =
    given === undefined || (given.isNull && !declaration.nullable && declaration.default !== undefined);
  if (!isDefault) return convertValue(declaration, given);
  return declaration.default && convertValue(declaration, evaluate(declaration.default, EMPTY_SCOPE));
}

/** Returns the marks of a variable's value. */
export const variableMarks = ({ sensitive, ephemeral }: VariableDeclaration): Marks =>
  (sensitive ? SENSITIVE : NO_MARKS) | (ephemeral ? EPHEMERAL : NO_MARKS);

function convertValue(declaration: VariableDeclaration, value: Value): Value {
  const { constraint, nullable } = declaration;
  const converted = value.isNull ? nullOf(constraint.type) : applyConstraint(value, constraint);
  if (converted.isNull && !nullable) throw new ConversionError("null is not allowed", []);
  return converted.withMarks(variableMarks(declaration));
}

/**
 * Converts a given value. A text is literal for a primitive type or without a type. For all other types, including `any`, the
 * text is parsed as an expression, as in Terraform.
 */
function inputValue({ constraint, type }: VariableDeclaration, input: VariableInput): Value {
  if (input.from === "json") return fromJsonDynamic(input.json);
  if (type === undefined || LITERAL_KINDS.has(constraint.type.kind)) return string(input.text);
  return evaluate(parseExpression(input.text), EMPTY_SCOPE);
}

const missingVariable = ({ name }: VariableDeclaration): Diagnostic =>
  error({
    code: "missing_variable",
    summary: "No value for a variable",
    detail: `The variable "${name}" has no default and no value. Set it with --var ${name}=VALUE, in a --var-file, or as TF_VAR_${name}.`,
    address: `var.${name}`,
  });

function variableProblem(
  { name, type }: VariableDeclaration,
  input: VariableInput | undefined,
  problem: unknown,
): Diagnostic {
  if (!(problem instanceof ConversionError || problem instanceof ExpressionError)) throw problem;
  const why = problem instanceof ConversionError ? problem.reason : problem.detail;
  return error({
    code: "invalid_variable",
    summary: "Invalid value for a variable",
    detail: `The value of the variable "${name}" from ${input?.origin ?? "its default"} is invalid: ${why}. ${type === undefined ? "Correct the value" : `Set a value of the type ${type}`}.`,
    address: `var.${name}`,
  });
}

/**
 * Returns the diagnostic for the value of an undeclared variable. A value from a file is only a warning, because the file can
 * serve several configurations.
 */
const undeclaredVariable = (name: string, origin: string, from: VariableInput["from"]): Diagnostic =>
  (from === "json" ? warning : error)({
    code: "undeclared_variable",
    summary: "Value for an undeclared variable",
    detail: `${origin} sets the variable "${name}", but this configuration does not declare it. Remove the value, or declare the variable.`,
  });
