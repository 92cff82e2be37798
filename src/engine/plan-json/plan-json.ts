import { FOLLOWED_TERRAFORM_VERSION, parseAddress, type ResourceAddress } from "../../language";
import { isWhollyKnown, type ResourceSchema, shown } from "../../schema";
import type { Json, JsonObject, ResourceState } from "../../state";
import type { CheckableKind, CheckResult } from "../results/check-results";
import type { OutputChange, Plan, ResourceChange } from "../results/plan";
import {
  inTerraformOrder,
  knownAttributes,
  objectJson,
  outputChangeJson,
  present,
  resourceChangeJson,
  sensitivePart,
} from "./changes";

/** Returns the results of conditions in the format of `terraform show -json`. */
export const checksJson = (checks: readonly CheckResult[]): JsonObject[] =>
  checks.map(({ kind, declaration, status, objects }) => ({
    address: { kind, ...addressNames(kind, declaration), to_display: declaration },
    status,
    ...(objects.length > 0 && {
      instances: objects.map((object) => ({
        address: { to_display: object.address, ...keyOf(object.address) },
        status: object.status,
        ...(object.failureMessages.length > 0 && {
          problems: object.failureMessages.map((message) => ({ message })),
        }),
      })),
    }),
  }));

function addressNames(kind: CheckableKind, declaration: string): JsonObject {
  const names = declaration.split(".");
  if (kind !== "resource") return { name: names.at(-1)! };
  const [type, name] = names.slice(-2) as [string, string];
  return { mode: names.length === 3 ? "data" : "managed", type, name };
}

/**
 * Returns the property `instance_key` for an address; an empty object if the address has no key. An invalid address, for
 * example from a modified saved plan, also has no key.
 */
function keyOf(address: string): JsonObject {
  const { indexKey } = (parseAddress(address) ?? {}) as Partial<ResourceAddress>;
  return indexKey === undefined ? {} : { instance_key: indexKey };
}

/** Finds the schema of a resource's type. */
export type SchemaOf = (
  resource: Pick<ResourceState, "mode" | "type">,
) => Pick<ResourceSchema, "version" | "attributes" | "identity"> | undefined;

/** Returns `planned_values`: the values after apply that are known. */
function plannedValues(
  changes: readonly ResourceChange[],
  outputs: readonly OutputChange[],
  schemaOf: SchemaOf,
): JsonObject {
  const resources = inTerraformOrder(changes)
    .filter(({ mode, action, after }) => after !== null && (mode === "managed" || action === "read"))
    .map((change) => plannedResource(change, schemaOf));
  const kept = outputs.filter(({ action }) => action !== "delete").map(plannedOutput);
  return {
    ...(kept.length > 0 && { outputs: Object.fromEntries(kept) }),
    root_module: resources.length > 0 ? { resources } : {},
  };
}

function plannedOutput({ name, sensitive, after, afterType }: OutputChange): [string, Json] {
  const isKnown = afterType !== undefined && after !== null && isWhollyKnown(after);
  return [name, { sensitive, ...(isKnown && { type: afterType, value: after as Json }) }];
}

function plannedResource(change: ResourceChange, schemaOf: SchemaOf): JsonObject {
  const { previousAddress: _, ...object } = change;
  const { after, afterIdentity, attributes, afterSensitive } = object;
  const values = knownAttributes(shown(attributes, after!));
  const schema = schemaOf(change);
  return {
    ...objectJson(object),
    schema_version: schema?.version ?? 0,
    ...(Object.keys(values).length > 0 && { values }),
    sensitive_values: sensitivePart(after, attributes, afterSensitive),
    ...(afterIdentity && {
      identity_schema_version: schema?.identity?.version ?? 0,
      identity: afterIdentity as JsonObject,
    }),
  };
}

/** The version of the format, as Terraform numbers it. */
const FORMAT_VERSION = "1.2";

/** Returns a plan in the format of `terraform show -json`, version 1.2. */
export function planJson(plan: Plan, schemaOf: SchemaOf): JsonObject {
  const { mode, changes, drift, outputs, relevantAttributes, checks, basis } = plan;
  const listed = inTerraformOrder(changes).filter(
    ({ mode, action }) => mode === "managed" || action !== "no-op",
  );
  return {
    format_version: FORMAT_VERSION,
    terraform_version: FOLLOWED_TERRAFORM_VERSION,
    ...present(
      "variables",
      Object.fromEntries(Object.entries(basis.variables).map(([name, value]) => [name, { value }])),
    ),
    planned_values: plannedValues(changes, outputs, schemaOf),
    // As in Terraform, a destroy has no `resource_drift`.
    ...(drift.length > 0 &&
      mode !== "destroy" && { resource_drift: inTerraformOrder(drift).map(resourceChangeJson) }),
    ...(listed.length > 0 && { resource_changes: listed.map(resourceChangeJson) }),
    ...present("output_changes", Object.fromEntries(outputs.map((one) => [one.name, outputChangeJson(one)]))),
    ...(basis.priorState !== undefined && { prior_state: basis.priorState }),
    configuration: basis.configuration,
    ...(relevantAttributes.length > 0 && { relevant_attributes: [...relevantAttributes] }),
    ...(checks.length > 0 && { checks: checksJson(checks) }),
    timestamp: basis.timestamp,
    applyable: plan.applicable && plan.hasChanges,
    complete: plan.complete,
    errored: plan.diagnostics.some(({ severity }) => severity === "error"),
  };
}
