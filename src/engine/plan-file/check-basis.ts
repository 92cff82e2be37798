import { type Diagnostic, error } from "../../diagnostics";
import { type Configuration, toPlain, unmarkDeep } from "../../language";
import { sameValue } from "../../schema";
import type { Json, JsonObject, State } from "../../state";
import type { RunContext, VariableInput } from "../run/context";
import { declarationGraph } from "../run/declarations";
import { prepare } from "../run/prepare";
import { configurationDigest, isHashOf, stateFingerprint } from "./fingerprints";
import type { SavedPlan } from "./schema";
import { servicesOf } from "./services";
import { hasWithheld, readValue } from "./value-json";

/**
 * The context for planning a saved plan again: with its restriction and its values of variables. Sensitive
 * variables, and those that configure a provider, must be given again: a file must not decide which service
 * receives the token.
 */
export function contextFor(saved: SavedPlan, context: RunContext): RunContext {
  const mustBeGiven = variablesToGiveAgain(saved, context.configuration);
  const recorded = Object.entries(valuesOf(saved)).map(([name, json]): [string, VariableInput] => [
    name,
    { from: "json", json, origin: "the saved plan" },
  ]);
  const variables = Object.fromEntries([
    ...recorded.filter(([name]) => !mustBeGiven.has(name)),
    ...Object.entries(context.variables).filter(([name]) => mustBeGiven.has(name)),
  ]);
  return { ...context, ...saved.asked, variables };
}

/** The recorded values of variables, by name. */
const valuesOf = ({ record }: SavedPlan): JsonObject =>
  Object.fromEntries(
    Object.entries(record.variables)
      .filter(([, json]) => !hasWithheld(json))
      .map(([name, json]) => [name, readValue(json) as Json]),
  );

function variablesToGiveAgain(
  { record, guarded }: SavedPlan,
  configuration: Configuration,
): ReadonlySet<string> {
  return new Set([
    ...record.sensitiveVariables,
    ...Object.keys(guarded),
    ...providerVariables(configuration),
    ...[...configuration.variables.values()].filter((one) => one.ephemeral).map(({ name }) => name),
  ]);
}

/** The variables that provider configurations depend on, directly or through locals and other objects. */
function providerVariables(configuration: Configuration): string[] {
  const { graph } = declarationGraph(configuration);
  const providers = graph.ids.filter((id) => graph.value(id)?.kind === "provider");
  return [...graph.closure(providers)]
    .flatMap((id) => graph.declaredDependencies(id))
    .filter((name) => name.startsWith("var."))
    .map((name) => name.slice("var.".length));
}

/** Whether the configuration is the one that was planned. */
export function checkConfiguration({ basis }: SavedPlan, { configuration }: RunContext): Diagnostic[] {
  if (basis.configuration === configurationDigest(configuration)) return [];
  return [
    error({
      code: "saved_plan_configuration_moved_on",
      summary: "Configuration has changed since the plan",
      detail:
        `${configuration.files.map(({ file }) => file).join(", ")} changed after the plan was made. ` +
        "Nothing was sent. Plan again, or restore the configuration of that plan.",
    }),
  ];
}

/** Whether the state is the one that the plan is based on. */
export function checkState({ basis }: SavedPlan, state: State | undefined, place: string): Diagnostic[] {
  const now = stateFingerprint(state);
  const then = basis.state;
  if (now?.lineage === then?.lineage && now?.serial === then?.serial && now?.digest === then?.digest)
    return [];
  const describe = (mark: typeof now) =>
    mark === null ? "no state" : `serial ${mark.serial} of the state ${mark.lineage}`;
  const why =
    now !== null && then !== null && now.lineage === then.lineage && now.serial === then.serial
      ? `serial ${now.serial} has another content now`
      : `the plan was made on ${describe(then)}, and there is ${describe(now)}`;
  return [
    error({
      code: "saved_plan_state_moved_on",
      summary: "State has changed since the plan",
      detail: `In ${place}, ${why}. Nothing was sent. Plan again.`,
    }),
  ];
}

/** What a saved plan does not fit where a run was interrupted since. */
export const interruptedSince = (journal: string): Diagnostic =>
  error({
    code: "saved_plan_state_moved_on",
    summary: "A run was interrupted since the plan",
    detail:
      `${journal} lists changes that the state may lack, and what is planned now differs from the file. Nothing was sent. ` +
      "Plan again: that recovers the changes.",
    action: { kind: "plan" },
  });

/** A value of a variable that differs from the plan. */
const otherValue = (name: string, summary: string, detail: string): Diagnostic =>
  error({ code: "saved_plan_variable", summary, detail, address: `var.${name}` });

/** Whether the given values of variables equal those of the plan. */
export function checkGivenVariables(
  saved: SavedPlan,
  context: RunContext,
  given: Readonly<Record<string, VariableInput>>,
): Diagnostic[] {
  const { evaluation } = prepare({ ...context, variables: { ...context.variables, ...given } });
  const recorded = valuesOf(saved);
  const mustBeGiven = variablesToGiveAgain(saved, context.configuration);
  const named = [...new Set([...Object.keys(given), ...mustBeGiven])];
  return named.flatMap((name) => {
    if (!Object.hasOwn(recorded, name)) return [];
    const now = evaluation.get(`var.${name}`);
    if (now !== undefined && sameValue(toPlain(unmarkDeep(now).value), recorded[name]!)) return [];
    if (mustBeGiven.has(name))
      return [
        notGivenAgain(
          name,
          context,
          "Provider variable is required again",
          `A provider is configured from "${name}", which decides where the token is sent, so its value is not taken from the saved plan`,
        ),
      ];
    return [
      otherValue(
        name,
        "Variable differs from the plan",
        `The plan was made with another value of "${name}". Nothing was sent. ` +
          "Omit the value, since the saved plan holds it, or plan again.",
      ),
    ];
  });
}

const notGivenAgain = (
  name: string,
  { variables }: RunContext,
  summary: string,
  reason: string,
): Diagnostic =>
  otherValue(
    name,
    summary,
    `${reason}, and ${Object.hasOwn(variables, name) ? "the given value is not the one of the plan" : "it was not given"}. ` +
      `Nothing was sent. Give the same value as TF_VAR_${name}, with --var or in a --var-file.`,
  );

/** Whether the sensitive variables have the values of the plan. */
export function checkVariables({ guarded }: SavedPlan, context: RunContext): Diagnostic[] {
  const { evaluation } = prepare(context);
  return Object.entries(guarded).flatMap(([name, guard]) => {
    const value = evaluation.get(`var.${name}`);
    if (value !== undefined && isHashOf(guard, toPlain(unmarkDeep(value).value))) return [];
    return [
      notGivenAgain(
        name,
        context,
        "Sensitive variable is required again",
        `A saved plan holds no sensitive values, so "${name}" must be given again`,
      ),
    ];
  });
}

/** Whether the providers use the services of the plan. */
export async function checkServices({ basis }: SavedPlan, context: RunContext): Promise<Diagnostic[]> {
  const now = await servicesOf(context);
  const keys = [...new Set([...Object.keys(basis.services), ...Object.keys(now)])].sort();
  return keys.flatMap((key) => {
    const then = basis.services[key];
    if (then === now[key]) return [];
    return [
      error({
        code: "saved_plan_other_service",
        summary: "Service differs from the plan",
        detail:
          `The plan was made against ${then ?? "no service that was known then"}, and the provider ${key} ` +
          `now talks to ${now[key] ?? "none that is known"}. Nothing was sent. Check the provider's configuration ` +
          "and the environment that it reads, or plan again.",
      }),
    ];
  });
}

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
  const summary = "Ephemeral variable differs from the plan";
  return [
    ...ephemeral
      .filter((name) => !given.includes(name))
      .map((name) =>
        otherValue(
          name,
          summary,
          `The ephemeral variable "${name}" had a value when the plan was made, and a saved plan holds no ephemeral ` +
            `values. Nothing was sent. Give a value as TF_VAR_${name}, with --var or in a --var-file.`,
        ),
      ),
    ...given
      .filter((name) => !ephemeral.includes(name))
      .map((name) =>
        otherValue(
          name,
          summary,
          `The ephemeral variable "${name}" has a value, and had none when the plan was made. Nothing was sent. ` +
            "Omit the value, or plan again.",
        ),
      ),
  ];
}
