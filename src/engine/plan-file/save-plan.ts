import { type AttributePath, type Diagnostic, type DiagnosticPath, SetElement } from "../../diagnostics";
import type { Provider } from "../../framework";
import { isNumericId, type Value, type ValueObject } from "../../schema";
import { isJsonObject, type Json, type JsonObject } from "../../state";
import type { CheckResult } from "../model/check-results";
import {
  containerByAttributes,
  isShown,
  type OutputChange,
  type Plan,
  type ResourceChange,
} from "../model/plan";
import { attributesOf, markedPaths } from "../plan-json/changes";
import type { RunContext } from "../run/context";
import type { ExecutablePlan } from "../steps/steps";
import { givenEphemerals } from "./check-basis";
import { configurationDigest, hashValue, stateFingerprint } from "./fingerprints";
import type { ChangeJson, RecordJson, SavedPlan } from "./schema";
import { servicesOf } from "./services";
import { hasWithheld, readValue, type Secrets, secretsOf } from "./value-json";

/** The values of a change, and which of its paths are sensitive there. Identities have the names of attributes. */
const SENSITIVE_AT = {
  before: "beforeSensitive",
  after: "afterSensitive",
  beforeIdentity: "beforeSensitive",
  afterIdentity: "afterSensitive",
} as const;

type ValueName = keyof typeof SENSITIVE_AT;

/** Converts the values that a change has. */
const convertValues = <From, To>(
  change: { readonly [name in ValueName]?: From },
  convert: (value: From, sensitive: (typeof SENSITIVE_AT)[ValueName]) => To,
) =>
  Object.fromEntries(
    (Object.keys(SENSITIVE_AT) as ValueName[])
      .filter((name) => change[name] !== undefined)
      .map((name) => [name, convert(change[name]!, SENSITIVE_AT[name])]),
  );

/** The record of a plan for a file, without sensitive values and schemas. */
function recordJson({ basis, ...plan }: Plan, secrets: Secrets): RecordJson {
  const { mode, applicable, complete, hasChanges, summary, relevantAttributes, unchecked, blocked } = plan;
  const { timestamp, variables, sensitiveVariables, priorState, configuration } = basis;
  const kept = (value: Value, paths: readonly AttributePath[] = []): Json => secrets.withhold(value, paths);
  const shown = shownAddresses(plan);
  const change = (whole: ResourceChange) => {
    const { attributes: _, container: _container, ...facts } = whole;
    const { address, importing, replaced } = facts;
    const path = shown.has(address) ? lookedUpPath(whole) : undefined;
    return {
      ...facts,
      ...convertValues(facts, (value, sensitive) => kept(value, facts[sensitive])),
      ...(path !== undefined && { path: secrets.texts.redactText(path) }),
      ...(importing && {
        importing: {
          ...importing,
          id: secrets.texts.redactText(importing.id),
          ...(importing.identity && { identity: kept(importing.identity) }),
        },
      }),
      ...(replaced?.live && { replaced: { ...replaced, live: kept(replaced.live) } }),
    };
  };
  const output = ({ before, after, afterType, ...facts }: OutputChange) => {
    const paths = facts.sensitive ? [[]] : [];
    const type = afterType === undefined ? {} : { afterType: kept(afterType as Value) };
    return { ...facts, ...type, before: kept(before, paths), after: kept(after, paths) };
  };
  return {
    ...{ mode, timestamp, applicable, complete, hasChanges, summary },
    variables: kept(
      variables as ValueObject,
      sensitiveVariables.map((name) => [name]),
    ),
    sensitiveVariables,
    changes: plan.changes.map(change),
    drift: plan.drift.map(change),
    outputs: plan.outputs.map(output),
    relevantAttributes,
    checks: plan.checks.map((result) => checkJson(result, secrets)),
    diagnostics: plan.diagnostics.map((one) => diagnosticJson(one, secrets)),
    unchecked,
    blocked,
    ...(priorState && { priorState: kept(priorState as ValueObject, sensitiveIn(priorState)) }),
    configuration: kept(configuration as ValueObject),
  } as unknown as RecordJson;
}

/** The objects whose containers a plan looks up. Of all others it may know a path by chance, and the next plan may not. */
function shownAddresses({
  mode,
  changes,
  drift,
}: Pick<Plan, "mode" | "changes" | "drift">): ReadonlySet<string> {
  const shown = mode === "refresh-only" ? drift : changes.filter(isShown);
  return new Set(shown.map(({ address }) => address));
}

/** The path of a container that the attributes name by its number: all other containers follow from the record itself. */
function lookedUpPath(change: ResourceChange): string | undefined {
  const name = containerByAttributes(change)?.name;
  const path = change.container?.name;
  return name !== undefined && isNumericId(name) && path !== name ? path : undefined;
}

const checkJson = ({ objects, ...result }: CheckResult, secrets: Secrets) => ({
  ...result,
  objects: objects.map(({ failureMessages, ...object }) => ({
    ...object,
    failureMessages: failureMessages.map((message) => secrets.texts.redactText(message)),
  })),
});

/** Messages and descriptions of set elements may quote sensitive values. */
const diagnosticJson = ({ detail, attribute, refused: _, ...one }: Diagnostic, secrets: Secrets) => ({
  ...one,
  detail: secrets.texts.redactText(detail),
  ...(attribute && {
    attribute: attribute.map((step) =>
      step instanceof SetElement ? { element: secrets.texts.redactText(step.toString()) } : step,
    ),
  }),
});

/** The sensitive paths of a state in `show -json` format, from the masks beside its values. */
function sensitiveIn(json: Json, at: AttributePath = []): AttributePath[] {
  if (Array.isArray(json)) return json.flatMap((one, index) => sensitiveIn(one, [...at, index]));
  if (!isJsonObject(json)) return [];
  const { values, sensitive_values: marks, sensitive, ...rest } = json;
  if (marks !== undefined)
    return [...markedPaths(marks, [...at, "values"]), ...markedPaths(marks, [...at, "identity"])];
  if (typeof sensitive === "boolean") return sensitive ? [[...at, "value"]] : [];
  const inside = values === undefined ? rest : { ...rest, values };
  return Object.entries(inside).flatMap(([name, one]) => sensitiveIn(one, [...at, name]));
}

const ASKED = [
  ...["targets", "excludes", "containers", "share"],
  ...["replace", "importsExisting", "allowLeaving"],
] as readonly (keyof SavedPlan["asked"])[];

/** Converts a plan for a file, without sensitive values. */
export async function savePlan(context: RunContext, plan: ExecutablePlan): Promise<SavedPlan> {
  const asked = ASKED.filter((name) => context[name] !== undefined).map((name) => [name, context[name]]);
  const { record, guarded } = describe(context, plan);
  const ephemeral = givenEphemerals(context);
  return {
    asked: Object.fromEntries(asked),
    ...(context.refresh === false && { refresh: false as const }),
    basis: {
      state: stateFingerprint(plan.priorState),
      configuration: configurationDigest(context.configuration),
      services: { ...(await servicesOf(context)) },
    },
    ...(ephemeral.length > 0 && { ephemeral }),
    guarded: Object.fromEntries(guarded.map(([name, value]) => [name, hashValue(value)])),
    record,
  };
}

/** The record of a plan, as a file would contain it. */
export const recordOf = (context: RunContext, plan: ExecutablePlan): RecordJson =>
  describe(context, plan).record;

function describe(context: RunContext, plan: ExecutablePlan) {
  const { sensitiveVariables, variables } = plan.basis;
  const secrets = secretsOf(plan, (type) => attributesOf(context.providers, type) ?? {});
  const isShown = (name: string, value: Value) =>
    !sensitiveVariables.includes(name) && !hasWithheld(secrets.withhold(value));
  const guarded = Object.entries(variables as ValueObject).filter(([name, value]) => !isShown(name, value));
  return { record: recordJson(plan, secrets), guarded };
}

/**
 * Reads the record of a plan. Withheld values become a placeholder text, which is the same for equal values.
 *
 * @param providers the providers whose schemas apply
 */
export function readRecord(json: RecordJson, providers: Readonly<Record<string, Provider>>): Plan {
  const change = ({ replaced, path, ...facts }: ChangeJson): ResourceChange =>
    withPath(path, {
      ...facts,
      ...convertValues<Json, Value>(facts, readValue),
      ...(replaced && {
        replaced: { ...replaced, ...(replaced.live && { live: readValue(replaced.live) as ValueObject }) },
      }),
      attributes: attributesOf(providers, facts) ?? {},
    });
  const { timestamp, variables, sensitiveVariables, priorState, configuration, ...rest } = json;
  return {
    ...rest,
    changes: json.changes.map(change),
    drift: json.drift.map(change),
    outputs: json.outputs.map(({ before, after, afterType, ...facts }) => ({
      ...facts,
      ...(afterType !== undefined && { afterType: readValue(afterType) as Json }),
      before: readValue(before),
      after: readValue(after),
    })),
    diagnostics: readDiagnostics(json),
    basis: {
      timestamp,
      variables: readValue(variables) as JsonObject,
      sensitiveVariables,
      priorState: priorState && (readValue(priorState) as JsonObject),
      configuration: readValue(configuration) as JsonObject,
    },
  };
}

function withPath(path: string | undefined, change: ResourceChange): ResourceChange {
  const container = path === undefined ? undefined : containerByAttributes(change);
  if (container === undefined) return change;
  return { ...change, container: { kind: container.kind, name: path!, id: Number(container.name) } };
}

/** The diagnostics recorded with the plan. */
export const readDiagnostics = ({ diagnostics }: RecordJson): Diagnostic[] =>
  diagnostics.map(({ attribute, ...one }) => ({
    ...one,
    ...(attribute && { attribute: attribute.map(readStep) }),
  }));

const readStep = (step: string | number | { readonly element: string }): DiagnosticPath[number] =>
  typeof step === "object" ? new SetElement(() => step.element) : step;
