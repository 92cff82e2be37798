import { type Diagnostic, error } from "../../diagnostics";
import type { RunContext, VariableInput } from "../run/context";
import type { SavedPlan } from "./schema";

/** The ephemeral variables with a given value: a saved plan stores their names alone. */
export const givenEphemerals = ({ configuration, variables }: RunContext): string[] =>
  [...configuration.variables.values()]
    .filter(({ name, ephemeral }) => ephemeral && isGiven(variables[name]))
    .map(({ name }) => name)
    .sort();

const isGiven = (input: VariableInput | undefined): boolean =>
  input !== undefined && !(input.from === "json" && input.json === null);

/** Whether the same ephemeral variables have a value as in the plan. The values may differ, as those of tokens do. */
export function checkEphemeralVariables({ ephemeral = [] }: SavedPlan, context: RunContext): Diagnostic[] {
  const given = givenEphemerals(context);
  return [
    ...ephemeral
      .filter((name) => !given.includes(name))
      .map((name) =>
        problem(
          name,
          `The ephemeral variable "${name}" had a value when the plan was made, and a saved plan holds no ephemeral ` +
            `values. Nothing was sent. Give a value as TF_VAR_${name}, with --var or in a --var-file.`,
        ),
      ),
    ...given
      .filter((name) => !ephemeral.includes(name))
      .map((name) =>
        problem(
          name,
          `The ephemeral variable "${name}" has a value, and had none when the plan was made. Nothing was sent. ` +
            "Omit the value, or plan again.",
        ),
      ),
  ];
}

const problem = (name: string, detail: string): Diagnostic =>
  error({
    code: "saved_plan_variable",
    summary: "Ephemeral variable differs from the plan",
    detail,
    address: `var.${name}`,
  });
