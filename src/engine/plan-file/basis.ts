import { createHash, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { type Diagnostic, error } from "../../diagnostics";
import { JsonNumber } from "../../json";
import { type Configuration, toPlain, unmarkDeep } from "../../language";
import { canonicalJson, sameValue, type Value, type ValueObject } from "../../schema";
import { digestOf, formatState, type Json, type JsonObject, type State } from "../../state";
import { declarationGraph } from "../declarations/declarations";
import { decodeValue, hasSensitive } from "../results/recorded-values";
import type { RunContext, VariableInput } from "../stack-run/context";
import { StackRun } from "../stack-run/stack-run";
import type { ExecutablePlan } from "../steps/steps";
import type { SavedPlan } from "./schema";
import type { Secrets } from "./secrets";
import { servicesOf } from "./services";

/** Returns the data on which a plan is based, without values of sensitive and ephemeral variables. */
export async function basisOf(
  context: RunContext,
  { basis, priorState }: ExecutablePlan,
  secrets: Secrets,
): Promise<Pick<SavedPlan, "basis" | "ephemeral" | "guarded">> {
  const ephemeral = givenEphemerals(context);
  const guarded = Object.entries(basis.variables as ValueObject).filter(
    ([name, value]) => basis.sensitiveVariables.includes(name) || hasSensitive(secrets.withhold(value)),
  );
  return {
    basis: {
      state: stateFingerprint(priorState),
      configuration: configurationDigest(context.configuration),
      services: { ...(await servicesOf(context)) },
    },
    ...(ephemeral.length > 0 && { ephemeral }),
    guarded: Object.fromEntries(guarded.map(([name, value]) => [name, hashValue(value)])),
  };
}

/**
 * Returns the context in which a saved plan is planned again. The restriction and the values of variables come from the saved
 * plan. Values of sensitive variables, and of variables that configure a provider, must be given again. Otherwise, a file could
 * decide which service receives the token.
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

/** Returns the recorded values of variables, by name. */
const valuesOf = ({ record }: SavedPlan): JsonObject =>
  Object.fromEntries(
    Object.entries(record.variables)
      .filter(([, json]) => !hasSensitive(json))
      .map(([name, json]) => [name, decodeValue(json) as Json]),
  );

function variablesToGiveAgain({ record, guarded }: SavedPlan, configuration: Configuration) {
  return new Set([
    ...record.sensitiveVariables,
    ...Object.keys(guarded),
    ...providerVariables(configuration),
    ...[...configuration.variables.values()].filter((one) => one.ephemeral).map(({ name }) => name),
  ]);
}

/** Returns the variables on which provider configurations depend, directly or through locals and other objects. */
function providerVariables(configuration: Configuration): string[] {
  const { graph } = declarationGraph(configuration);
  const providers = graph.ids.filter((id) => graph.value(id)?.kind === "provider");
  return [...graph.closure(providers)]
    .flatMap((id) => graph.declaredDependencies(id))
    .filter((name) => name.startsWith("var."))
    .map((name) => name.slice("var.".length));
}

/** Checks that the configuration has not changed since the plan. */
export function checkConfiguration({ basis }: SavedPlan, { configuration }: RunContext): Diagnostic[] {
  if (basis.configuration === configurationDigest(configuration)) return [];
  return [
    error({
      code: "saved_plan_configuration_moved_on",
      summary: "Configuration has changed since the plan",
      detail: `${configuration.files.map(({ file }) => file).join(", ")} changed after the plan was saved. Nothing was sent. Plan again, or restore the configuration of the saved plan.`,
    }),
  ];
}

/** Checks that the state has not changed since the plan. */
export function checkState({ basis }: SavedPlan, state: State | undefined, place: string): Diagnostic[] {
  const now = stateFingerprint(state);
  const then = basis.state;
  if (now?.lineage === then?.lineage && now?.serial === then?.serial && now?.digest === then?.digest)
    return [];
  const describe = (mark: typeof now) =>
    mark === null ? "no state" : `serial ${mark.serial} of the state with the lineage ${mark.lineage}`;
  const why =
    now !== null && then !== null && now.lineage === then.lineage && now.serial === then.serial
      ? `The content of serial ${now.serial} in ${place} changed after the plan was saved`
      : `When the plan was saved, ${place} contained ${describe(then)}. It now contains ${describe(now)}`;
  return [
    error({
      code: "saved_plan_state_moved_on",
      summary: "State has changed since the plan",
      detail: `${why}. Nothing was sent. Plan again.`,
    }),
  ];
}

/** Returns the error for a saved plan that is older than an interrupted run. */
export const interruptedSince = (journal: string): Diagnostic =>
  error({
    code: "saved_plan_state_moved_on",
    summary: "A run was interrupted after the plan",
    detail: `The journal ${journal} lists changes that the state may lack, and the current plan differs from the saved one. Nothing was sent. Plan again: the new plan recovers the changes.`,
    action: { kind: "plan" },
  });

/** Returns the error for a variable whose value differs from the value in the plan. */
const otherValue = (name: string, summary: string, detail: string): Diagnostic =>
  error({ code: "saved_plan_variable", summary, detail, address: `var.${name}` });

/**
 * Checks that variables have the same values as in the plan. The checked variables are the variables on the command
 * line, and the variables that must be given again.
 *
 * @param given variables of the command line
 */
export function checkVariables(
  saved: SavedPlan,
  context: RunContext,
  given: Readonly<Record<string, VariableInput>> = {},
): Diagnostic[] {
  const present = { ...context, variables: { ...context.variables, ...given } };
  const { evaluation } = new StackRun(present);
  const recorded = valuesOf(saved);
  const mustBeGiven = variablesToGiveAgain(saved, context.configuration);
  const differing = (name: string): Diagnostic[] => {
    const now = evaluation.get(`var.${name}`);
    const guard = own(saved.guarded, name);
    const then = own(recorded, name);
    if (guard === undefined && then === undefined) return [];
    if (now !== undefined) {
      const { value } = unmarkDeep(now);
      const isSame = guard ? isHashOf(guard, toPlain(value)) : sameValue(toPlain(value), then!);
      if (isSame) return [];
    }
    if (!mustBeGiven.has(name))
      return [
        otherValue(
          name,
          "Variable differs from the plan",
          `The saved plan was made with another value of the variable "${name}". Nothing was sent. ` +
            "Omit the value on the command line, because the saved plan contains one, or plan again.",
        ),
      ];
    const [summary, reason] = guard
      ? [
          "Sensitive variable must be set again",
          `A saved plan contains no sensitive values, so this command needs the value of "${name}" again`,
        ]
      : [
          "Provider variable must be set again",
          `The provider configuration uses the variable "${name}" and decides where Steward sends the token. Steward therefore does not take the value from the saved plan`,
        ];
    const how = own(present.variables, name)
      ? "The value is different from the value in the plan"
      : "No value was set";
    return [
      otherValue(
        name,
        summary,
        `${reason}. ${how}. Nothing was sent. Set the same value with TF_VAR_${name}, --var or --var-file.`,
      ),
    ];
  };
  return [...new Set([...Object.keys(given), ...mustBeGiven])].flatMap(differing);
}

const own = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Checks that the providers use the same services as in the plan. */
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
        detail: `The plan was made for ${then ?? "an unknown service"}, but the provider ${key} now uses ${now[key] ?? "an unknown service"}. Nothing was sent. Check the configuration and the environment of the provider, or plan again.`,
      }),
    ];
  });
}

/**
 * Returns the names of the ephemeral variables that have a given value. A saved plan contains these names, but not the values.
 */
const givenEphemerals = ({ configuration, variables }: RunContext): string[] =>
  [...configuration.variables.values()]
    .filter(({ name, ephemeral }) => ephemeral && isGiven(variables[name]))
    .map(({ name }) => name)
    .sort();

const isGiven = (input: VariableInput | undefined): boolean =>
  input !== undefined && !(input.from === "json" && input.json === null);

/**
 * Checks that the ephemeral variables with a value are the same as in the plan. The values may differ, because a value can be a
 * token.
 */
export function checkEphemeralVariables({ ephemeral = [] }: SavedPlan, context: RunContext): Diagnostic[] {
  const given = givenEphemerals(context);
  const missing = ephemeral.filter((name) => !given.includes(name));
  const added = given.filter((name) => !ephemeral.includes(name));
  return [...missing, ...added].map((name) =>
    otherValue(
      name,
      "Ephemeral variable differs from the plan",
      missing.includes(name)
        ? `The ephemeral variable "${name}" had a value when the plan was saved, but a saved plan contains no ` +
            `ephemeral values. Nothing was sent. Set a value with TF_VAR_${name}, --var or --var-file.`
        : `The ephemeral variable "${name}" has a value now, but had none when the plan was saved. Nothing was sent. ` +
            "Omit the value, or plan again.",
    ),
  );
}

/** Returns the fingerprint of a state; null if there is no state. */
const stateFingerprint = (state: State | undefined): SavedPlan["basis"]["state"] =>
  state === undefined
    ? null
    : { lineage: state.lineage, serial: state.serial, digest: digestOf(formatState(state)) };

/**
 * Returns a digest of the declarations, independent of file names. The backend is left out, because it is a path on
 * one machine, and the state has a separate fingerprint.
 */
function configurationDigest({ files }: Configuration): string {
  const declared = files.map(({ json }) =>
    canonical({ ...json, terraform: withoutBackend(json["terraform"]) }),
  );
  return createHash("sha256").update(declared.sort().join("\n")).digest("base64");
}

function withoutBackend(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutBackend);
  if (typeof json !== "object" || json === null) return json;
  const { backend: _, ...rest } = json as Record<string, unknown>;
  return rest;
}

/**
 * Removes the position from the metadata of a declaration. A new line above a declaration changes its position, but not its
 * content.
 */
function withoutPosition(comment: unknown): unknown {
  const { metadata, ...rest } = Object(comment) as { readonly metadata?: unknown };
  if (typeof metadata !== "object" || metadata === null) return comment;
  const { position: _, ...others } = metadata as Record<string, unknown>;
  return { ...rest, metadata: others };
}

function canonical(value: unknown): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${JSON.stringify(name)}:${canonical(name === "//" ? withoutPosition(one) : one)}`);
  return `{${fields.sort().join(",")}}`;
}

/**
 * A salted scrypt hash of a value. The hash shows whether a given value is equal, and does not reveal the value. The
 * salt and the hash are base64 texts.
 */
type ValueHash = SavedPlan["guarded"][string];

const LENGTH = 32;

const hashOf = (value: Value, salt: string): Buffer =>
  scryptSync(canonicalJson(value), Buffer.from(salt, "base64"), LENGTH);

function hashValue(value: Value): ValueHash {
  const salt = randomBytes(16).toString("base64");
  return { salt, hash: hashOf(value, salt).toString("base64") };
}

function isHashOf({ salt, hash }: ValueHash, value: Value): boolean {
  const expected = Buffer.from(hash, "base64");
  return expected.length === LENGTH && timingSafeEqual(expected, hashOf(value, salt));
}
