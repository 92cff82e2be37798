import { type AttributePath, type Diagnostic, type DiagnosticPath, SetElement } from "../../diagnostics";
import type { Provider } from "../../framework";
import { isNumericId, type Value, type ValueObject } from "../../schema";
import { isJsonObject, type Json, type JsonObject } from "../../state";
import type { CheckResult } from "../model/check-results";
import { containerByAttributes, type OutputChange, type Plan, type ResourceChange } from "../model/plan";
import { attributesOf } from "../plan-json/changes";
import type { ChangeJson, RecordJson } from "./schema";
import { fillWithheld, readValue, type Secrets, type Withheld, writeValue } from "./value-json";

/** The record of a plan for a file, without sensitive values and schemas. */
export function recordJson(plan: Plan, secrets: Secrets): RecordJson {
  const { mode, applicable, complete, hasChanges, summary, relevantAttributes, unchecked, blocked } = plan;
  const { timestamp, variables, sensitiveVariables, priorState, configuration } = plan.basis;
  const kept = (value: Value, paths: readonly AttributePath[] = []): Json =>
    writeValue(secrets.withhold(value, paths));
  const shown = shownAddresses(plan);
  const change = (whole: ResourceChange) => {
    const {
      attributes: _,
      container: _container,
      before,
      after,
      beforeIdentity,
      afterIdentity,
      importing,
      replaced,
      ...facts
    } = whole;
    const path = shown.has(whole.address) ? lookedUpPath(whole) : undefined;
    return {
      ...facts,
      ...(path !== undefined && { path: secrets.redact(path) }),
      ...(importing && {
        importing: {
          id: secrets.redact(importing.id),
          ...(importing.identity && { identity: kept(importing.identity) }),
          ...(importing.existing && { existing: importing.existing }),
        },
      }),
      ...(replaced && {
        replaced: { ...replaced, ...(replaced.live && { live: kept(replaced.live) }) },
      }),
      before: kept(before, facts.beforeSensitive),
      after: kept(after, facts.afterSensitive),
      // Identities have the names of attributes, and are as sensitive.
      ...(beforeIdentity && { beforeIdentity: kept(beforeIdentity, facts.beforeSensitive) }),
      ...(afterIdentity && { afterIdentity: kept(afterIdentity, facts.afterSensitive) }),
    };
  };
  const output = ({ before, after, afterType, ...facts }: OutputChange) => {
    const paths = facts.sensitive ? [[]] : [];
    const type = afterType === undefined ? {} : { afterType: writeValue(afterType as Value) };
    return { ...facts, ...type, before: kept(before, paths), after: kept(after, paths) };
  };
  return {
    mode,
    timestamp,
    applicable,
    complete,
    hasChanges,
    summary,
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
function shownAddresses({ mode, changes, drift }: Plan): ReadonlySet<string> {
  const isShown = ({ action, importing, previousAddress }: ResourceChange) =>
    action !== "no-op" || importing !== undefined || previousAddress !== undefined;
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
    failureMessages: failureMessages.map((message) => secrets.redact(message)),
  })),
});

/** Messages and descriptions of set elements may quote sensitive values. */
const diagnosticJson = ({ detail, attribute, refused: _, ...one }: Diagnostic, secrets: Secrets) => ({
  ...one,
  detail: secrets.redact(detail),
  ...(attribute && {
    attribute: attribute.map((step) =>
      step instanceof SetElement ? { element: secrets.redact(step.toString()) } : step,
    ),
  }),
});

/** The sensitive paths of a state in `show -json` format, from the masks beside its values. */
function sensitiveIn(json: Json, at: AttributePath = []): AttributePath[] {
  if (Array.isArray(json)) return json.flatMap((one, index) => sensitiveIn(one, [...at, index]));
  if (!isJsonObject(json)) return [];
  const { values, sensitive_values: marks, sensitive, ...rest } = json;
  if (marks !== undefined)
    return [...marked(marks, [...at, "values"]), ...marked(marks, [...at, "identity"])];
  if (typeof sensitive === "boolean") return sensitive ? [[...at, "value"]] : [];
  const inside = values === undefined ? rest : { ...rest, values };
  return Object.entries(inside).flatMap(([name, one]) => sensitiveIn(one, [...at, name]));
}

function marked(marks: Json, at: AttributePath): AttributePath[] {
  if (marks === true) return [at];
  if (Array.isArray(marks)) return marks.flatMap((one, index) => marked(one, [...at, index]));
  if (!isJsonObject(marks)) return [];
  return Object.entries(marks).flatMap(([name, one]) => marked(one, [...at, name]));
}

/**
 * Reads the record of a plan. Withheld values become a placeholder text, which is the same for equal values.
 *
 * @param providers the providers whose schemas apply
 */
export function readRecord(json: RecordJson, providers: Readonly<Record<string, Provider>>): Plan {
  const shown = (value: Json): Value => fillWithheld(readValue(value), placeholder);
  const change = ({
    before,
    after,
    beforeIdentity,
    afterIdentity,
    replaced,
    path,
    ...facts
  }: ChangeJson): ResourceChange =>
    withPath(path, {
      ...facts,
      ...(beforeIdentity && { beforeIdentity: shown(beforeIdentity) as ValueObject }),
      ...(afterIdentity && { afterIdentity: shown(afterIdentity) as ValueObject }),
      ...(replaced && {
        replaced: { ...replaced, ...(replaced.live && { live: shown(replaced.live) as ValueObject }) },
      }),
      before: shown(before) as ValueObject | null,
      after: shown(after) as ValueObject | null,
      attributes: attributesOf(providers, facts) ?? {},
    });
  const { timestamp, variables, sensitiveVariables, priorState, configuration, ...rest } = json;
  return {
    ...rest,
    changes: json.changes.map(change),
    drift: json.drift.map(change),
    outputs: json.outputs.map(({ before, after, afterType, ...facts }) => ({
      ...facts,
      ...(afterType !== undefined && { afterType: shown(afterType) as Json }),
      before: shown(before),
      after: shown(after),
    })),
    diagnostics: readDiagnostics(json),
    basis: {
      timestamp,
      variables: shown(variables) as JsonObject,
      sensitiveVariables,
      priorState: priorState && (shown(priorState) as JsonObject),
      configuration: shown(configuration) as JsonObject,
    },
  };
}

function withPath(path: string | undefined, change: ResourceChange): ResourceChange {
  const container = path === undefined ? undefined : containerByAttributes(change);
  if (container === undefined) return change;
  return { ...change, container: { kind: container.kind, name: path!, id: Number(container.name) } };
}

const placeholder = ({ number }: Withheld): string => `(sensitive value ${number})`;

/** The diagnostics recorded with the plan. */
export const readDiagnostics = ({ diagnostics }: RecordJson): Diagnostic[] =>
  diagnostics.map(({ attribute, ...one }) => ({
    ...one,
    ...(attribute && { attribute: attribute.map(readStep) }),
  }));

const readStep = (step: string | number | { readonly element: string }): DiagnosticPath[number] =>
  typeof step === "object" ? new SetElement(() => step.element) : step;
