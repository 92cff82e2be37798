import { type Diagnostic, error } from "../../diagnostics";
import { sameValue } from "../../provider/schema";
import { toPlain } from "../evaluate/plain";
import type { RunContext, VariableInput } from "../run/context";
import { StackRun } from "../run/stack-run";
import type { State } from "../state/model";
import { unmarkDeep } from "../values";
import { digestOfConfiguration, markOfState } from "./fingerprints";
import { readValue } from "./graph-json";
import { isGuarded } from "./guarded-values";
import type { SavedPlan } from "./saved-plan";
import { servicesOf } from "./services";

/** The values for an apply: those that the plan was made with, and, where they are sensitive, those that are given now. */
export function variablesOf(
  { variables, guarded }: SavedPlan,
  given: Readonly<Record<string, VariableInput>>,
): Readonly<Record<string, VariableInput>> {
  const recorded = Object.entries(variables).map(([name, json]): [string, VariableInput] => [
    name,
    { from: "json", json: readValue(json), origin: "the saved plan" },
  ]);
  const again = Object.entries(given).filter(([name]) => Object.hasOwn(guarded, name));
  return Object.fromEntries([...recorded, ...again]);
}

/** Whether the configuration is the one that the plan was made of. */
export function checkConfiguration({ basis }: SavedPlan, { configuration }: RunContext): Diagnostic[] {
  if (basis.configuration === digestOfConfiguration(configuration)) return [];
  return [
    error({
      code: "saved_plan_configuration_moved_on",
      summary: "Configuration has changed since the plan",
      detail:
        `${configuration.files.map(({ file }) => file).join(", ")} is not what the plan was made of. ` +
        "Nothing was sent. Plan again, or go back to what the code was then.",
    }),
  ];
}

/** Whether the state is the one that the plan was made on. */
export function checkState({ basis }: SavedPlan, state: State | undefined, place: string): Diagnostic[] {
  const now = markOfState(state);
  const then = basis.state;
  if (now?.lineage === then?.lineage && now?.serial === then?.serial && now?.digest === then?.digest)
    return [];
  const told = (mark: typeof now) =>
    mark === null ? "no state" : `serial ${mark.serial} of the state ${mark.lineage}`;
  const why =
    now !== null && then !== null && now.lineage === then.lineage && now.serial === then.serial
      ? `serial ${now.serial} has another content now`
      : `the plan was made on ${told(then)}, and there is ${told(now)}`;
  return [
    error({
      code: "saved_plan_state_moved_on",
      summary: "State has changed since the plan",
      detail: `In ${place}, ${why}. Nothing was sent. Plan again.`,
    }),
  ];
}

/** Whether values that were given for other variables are those that the plan was made with. */
export function checkGivenVariables(
  { variables }: SavedPlan,
  context: RunContext,
  given: Readonly<Record<string, VariableInput>>,
): Diagnostic[] {
  const run = new StackRun({ ...context, variables: { ...context.variables, ...given } });
  return Object.keys(given).flatMap((name) => {
    const then = variables[name];
    if (then === undefined) return [];
    const now = run.evaluation.get(`var.${name}`);
    if (now !== undefined && sameValue(toPlain(unmarkDeep(now).value), readValue(then))) return [];
    return [
      error({
        code: "saved_plan_variable",
        summary: "Another value than the plan's",
        detail:
          `The plan was made with another value of "${name}" than the one given now. Nothing was sent. ` +
          "Leave the value out, as the saved plan holds it, or plan again.",
        address: `var.${name}`,
      }),
    ];
  });
}

/** Whether the sensitive variables have the values that the plan was made with. */
export function checkVariables({ guarded }: SavedPlan, context: RunContext): Diagnostic[] {
  const run = new StackRun(context);
  return Object.entries(guarded).flatMap(([name, guard]) => {
    const value = run.evaluation.get(`var.${name}`);
    if (value !== undefined && isGuarded(guard, toPlain(unmarkDeep(value).value))) return [];
    const isGiven = Object.hasOwn(context.variables, name);
    return [
      error({
        code: "saved_plan_variable",
        summary: "Sensitive variable is needed again",
        detail:
          `A saved plan holds no sensitive value, so "${name}" has to be given again, ` +
          `and ${isGiven ? "what was given is not what the plan was made with" : "it was not given"}. ` +
          `Nothing was sent. Give the same value as TF_VAR_${name}, with --var or in a --var-file.`,
        address: `var.${name}`,
      }),
    ];
  });
}

/** Whether the providers talk to the services that the plan was made against. */
export async function checkServices({ basis }: SavedPlan, context: RunContext): Promise<Diagnostic[]> {
  const now = await servicesOf(context);
  const keys = [...new Set([...Object.keys(basis.services), ...Object.keys(now)])].sort();
  return keys.flatMap((key) => {
    const then = basis.services[key];
    if (then === now[key]) return [];
    return [
      error({
        code: "saved_plan_other_service",
        summary: "Another service than the plan's",
        detail:
          `The plan was made against ${then ?? "no service that was known then"}, and the provider ${key} ` +
          `now talks to ${now[key] ?? "none that is known"}. Nothing was sent. Check STEWARD_BASE_URL and the provider's ` +
          "base_url, or plan again.",
      }),
    ];
  });
}
