import { type AttributePath, type Diagnostic, type DiagnosticPath, SetElement } from "../../diagnostics";
import type { Provider } from "../../framework";
import { defined } from "../../json";
import { isNumericId, type Value, type ValueObject } from "../../schema";
import { isJsonObject, type Json } from "../../state";
import { containerByAttributes } from "../objects/identities";
import { attributesOf, markedPaths } from "../plan-json/changes";
import { changeOf, recordOf as changeRecord, originOf } from "../results/change-record";
import type { CheckResult } from "../results/check-results";
import { isShown, type OutputChange, type Plan, type ResourceChange } from "../results/plan";
import { decodeValue } from "../results/recorded-values";
import type { RunContext } from "../stack-run/context";
import type { ExecutablePlan } from "../steps/steps";
import { basisOf } from "./basis";
import { ASKED, type ChangeJson, type RecordJson, type SavedPlan } from "./schema";
import { type Secrets, secretsOf } from "./secrets";

/** Returns the record of a plan for a file, without sensitive values and schemas. */
function recordJson({ basis, ...plan }: Plan, secrets: Secrets): RecordJson {
  const { mode, applicable, complete, hasChanges, summary, relevantAttributes, unchecked, blocked } = plan;
  const { timestamp, variables, sensitiveVariables, priorState, configuration } = basis;
  const redact: Redact = (text) => secrets.texts.redactText(text);
  const kept = (value: Value | undefined, paths: readonly AttributePath[] = []): Json | undefined =>
    value === undefined ? undefined : secrets.withhold(value, paths);
  // Only the paths of shown objects' containers are saved, because every plan looks them up. Other paths can be known in one
  // plan, but not in the next one.
  const objects = mode === "refresh-only" ? plan.drift : plan.changes.filter(isShown);
  const shown = new Set(objects.map(({ address }) => address));
  const change = (whole: ResourceChange): ChangeJson => {
    const path = shown.has(whole.address) ? lookedUpPath(whole) : undefined;
    return {
      ...changeRecord(whole, secrets, { importId: whole.importing && redact(whole.importing.id) }),
      ...originOf(whole),
      ...(path !== undefined && { path: redact(path) }),
    };
  };
  const output = ({ before, after, afterType, ...facts }: OutputChange) => {
    const paths = facts.sensitive ? [[]] : [];
    const type = kept(afterType as Value | undefined);
    return defined({ ...facts, afterType: type, before: kept(before, paths), after: kept(after, paths) });
  };
  const hidden = sensitiveVariables.map((name) => [name]);
  return defined({
    mode,
    timestamp,
    applicable,
    complete,
    hasChanges,
    summary,
    variables: kept(variables as ValueObject, hidden),
    sensitiveVariables,
    changes: plan.changes.map(change),
    drift: plan.drift.map(change),
    outputs: plan.outputs.map(output),
    relevantAttributes,
    checks: plan.checks.map((result) => checkJson(result, redact)),
    diagnostics: plan.diagnostics.map((one) => diagnosticJson(one, redact)),
    unchecked,
    blocked,
    priorState: priorState && kept(priorState as ValueObject, sensitiveIn(priorState)),
    configuration: kept(configuration as ValueObject),
  }) as unknown as RecordJson;
}

/**
 * Returns the path of an object's container, if the attributes contain only the container's number; undefined for any
 * other container. For other containers, the attributes in the record are sufficient.
 */
function lookedUpPath(change: ResourceChange): string | undefined {
  const name = containerByAttributes(change)?.name;
  const path = change.container?.name;
  return name !== undefined && isNumericId(name) && path !== name ? path : undefined;
}

type Redact = (text: string) => string;

const checkJson = ({ objects, ...result }: CheckResult, redact: Redact) => ({
  ...result,
  objects: objects.map((object) => ({ ...object, failureMessages: object.failureMessages.map(redact) })),
});

/** Returns a diagnostic for a file. The detail and the elements of sets are redacted, because they can quote sensitive values. */
const diagnosticJson = ({ detail, attribute, refused: _, ...one }: Diagnostic, redact: Redact) =>
  defined({
    ...one,
    detail: redact(detail),
    attribute: attribute?.map((step) =>
      step instanceof SetElement ? { element: redact(step.toString()) } : step,
    ),
  });

/** Returns the sensitive paths of a state in the format of `show -json`, from the masks next to the values. */
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

/** Converts a plan to a saved plan, without sensitive values. */
export async function savePlan(context: RunContext, plan: ExecutablePlan): Promise<SavedPlan> {
  const asked = ASKED.filter((name) => context[name] !== undefined).map((name) => [name, context[name]]);
  const secrets = secretsOf(plan, context.providers);
  return {
    asked: Object.fromEntries(asked),
    ...(context.refresh === false && { refresh: false as const }),
    ...(await basisOf(context, plan, secrets)),
    record: recordJson(plan, secrets),
  };
}

/** Returns the record that a file would contain for a plan. */
export const recordOf = ({ providers }: RunContext, plan: ExecutablePlan): RecordJson =>
  recordJson(plan, secretsOf(plan, providers));

/**
 * Converts the record of a plan to a plan. Each withheld value becomes a placeholder text, and equal values have the same text.
 *
 * @param providers the providers that have the schemas of the objects
 */
export function readRecord(json: RecordJson, providers: Readonly<Record<string, Provider>>): Plan {
  const change = ({ path, ...record }: ChangeJson): ResourceChange =>
    withPath(
      path,
      changeOf(record, (object) => attributesOf(providers, object) ?? {}),
    );
  const { changes, drift, ...others } = json;
  // All parts except the changes and the drift are decoded at once. Decoding leaves parts without encoded values unchanged.
  const record = decodeValue(others as unknown as Json) as unknown as typeof others;
  const { timestamp, variables, sensitiveVariables, priorState, configuration, ...rest } = record;
  return {
    ...rest,
    changes: changes.map(change),
    drift: drift.map(change),
    diagnostics: readDiagnostics(record),
    basis: { timestamp, variables, sensitiveVariables, priorState, configuration },
  };
}

function withPath(path: string | undefined, change: ResourceChange): ResourceChange {
  const container = path === undefined ? undefined : containerByAttributes(change);
  if (container === undefined) return change;
  return { ...change, container: { kind: container.kind, name: path!, id: Number(container.name) } };
}

/** Returns the diagnostics that the record contains. */
export const readDiagnostics = ({ diagnostics }: Pick<RecordJson, "diagnostics">): Diagnostic[] =>
  diagnostics.map(({ attribute, ...one }) => ({
    ...one,
    ...(attribute && { attribute: attribute.map(readStep) }),
  }));

const readStep = (step: string | number | { readonly element: string }): DiagnosticPath[number] =>
  typeof step === "object" ? new SetElement(() => step.element) : step;
