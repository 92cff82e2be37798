import type { Provider } from "../../provider/protocol";
import type { Attributes } from "../../provider/schema";
import type { Plan } from "../plan/plan";
import { describePlan } from "../plan-json/describe-plan";
import type { PlanRecord } from "../plan-json/record";
import type { RunContext } from "../run/context";
import { digestOfConfiguration, markOfState } from "./fingerprints";
import { GraphWriter, type Replace, writeValue } from "./graph-json";
import { guardFor } from "./guarded-values";
import { secretsOf } from "./plan-secrets";
import type { SavedPlan } from "./saved-plan";
import type { Secrets } from "./secrets";
import { servicesOf } from "./services";
import { placesInState } from "./state-references";

/** Makes of a plan what can be kept in a file. Nothing sensitive is in it. */
export async function savePlan(context: RunContext, plan: Plan): Promise<SavedPlan> {
  const record = describePlan(context, plan);
  const { configuration, providers, targets = [] } = context;
  const secrets = secretsOf(plan, record, attributesFinder(providers));
  const sensitive = new Set(record.sensitiveVariables);
  const variables = Object.entries(record.variables);
  const schemas = schemaNames(providers);
  const places = placesInState(plan.priorState);
  const declarations = new Map<unknown, string>(
    [...configuration.resources].map(([address, declaration]) => [declaration, address]),
  );
  let isRecord = true;
  const replace: Replace = (value, path) => {
    const place = isRecord ? undefined : places.get(value as object);
    if (place !== undefined) return { $state: place };
    const schema = schemas.get(value as object);
    if (schema !== undefined) return { $schema: schema };
    const declaration = declarations.get(value);
    if (declaration !== undefined) return { $declaration: declaration };
    return secrets.tagFor(value, path);
  };
  const writer = new GraphWriter(replace, secrets);
  const told = writer.write(redacted(record, secrets));
  isRecord = false;
  return {
    mode: plan.mode,
    targets,
    basis: {
      state: markOfState(plan.priorState),
      configuration: digestOfConfiguration(configuration),
      services: await servicesOf(context),
    },
    variables: Object.fromEntries(
      variables.filter(([name]) => !sensitive.has(name)).map(([name, value]) => [name, writeValue(value)]),
    ),
    guarded: Object.fromEntries(
      variables.filter(([name]) => sensitive.has(name)).map(([name, value]) => [name, guardFor(value)]),
    ),
    record: told,
    work: writer.write(workOf(plan)),
  };
}

/** What applying needs beyond what is told. The values of `count` and `each` are worked out again. */
function workOf({ steps, blocked, changes: _, ...plan }: Plan): object {
  return {
    ...plan,
    diagnostics: [],
    blocked,
    steps: steps.map((step) => ({
      ...step,
      ...(step.declared && {
        declared: { ...step.declared, instance: { ...step.declared.instance, repetition: {} } },
      }),
    })),
  };
}

/** Messages may quote a value. */
const redacted = (record: PlanRecord, secrets: Secrets): PlanRecord => ({
  ...record,
  diagnostics: record.diagnostics.map((one) => ({ ...one, detail: secrets.redact(one.detail) })),
});

type Providers = Readonly<Record<string, Provider>>;

/** The schemas of all types, by `SOURCE resources TYPE`. */
function schemaNames(providers: Providers): Map<object, string> {
  const names = new Map<object, string>();
  for (const { schema } of Object.values(providers)) {
    for (const kind of ["resources", "dataSources"] as const) {
      for (const [type, { attributes }] of Object.entries(schema[kind]))
        names.set(attributes, `${schema.source} ${kind} ${type}`);
    }
  }
  return names;
}

/** Finds a schema by such a name. */
export function schemaCalled(providers: Providers): (name: string) => Attributes | undefined {
  const schemas = new Map([...schemaNames(providers)].map(([attributes, name]) => [name, attributes]));
  return (name) => schemas.get(name) as Attributes | undefined;
}

const attributesFinder =
  (providers: Providers) =>
  ({ mode, type }: { readonly mode: "managed" | "data"; readonly type: string }): Attributes => {
    const kind = mode === "managed" ? "resources" : "dataSources";
    const found = Object.values(providers).find(({ schema }) => type in schema[kind]);
    return found?.schema[kind][type]?.attributes ?? {};
  };
