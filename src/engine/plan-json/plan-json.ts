import { FOLLOWED_TERRAFORM_VERSION } from "../../language";
import type { Json, JsonObject } from "../../state";
import type { Plan } from "../model/plan";
import { inTerraformOrder, outputChangeJson, resourceChangeJson } from "./changes";
import { checksJson } from "./checks";
import { plannedValues, type SchemaOf } from "./planned-values";

/** Terraform's version of the format. */
const FORMAT_VERSION = "1.2";

export type { SchemaOf };

/** A plan in the format of `terraform show -json`, version 1.2. */
export function planJson(plan: Plan, schemaOf: SchemaOf): JsonObject {
  const { mode, changes, drift, outputs, relevantAttributes, checks, basis } = plan;
  const listed = inTerraformOrder(changes).filter(
    ({ mode, action }) => mode === "managed" || action !== "no-op",
  );
  return {
    format_version: FORMAT_VERSION,
    terraform_version: FOLLOWED_TERRAFORM_VERSION,
    ...unlessEmpty("variables", withValue(basis.variables)),
    planned_values: plannedValues(changes, outputs, schemaOf),
    // Terraform reports no drift for a destroy.
    ...(drift.length > 0 &&
      mode !== "destroy" && { resource_drift: inTerraformOrder(drift).map(resourceChangeJson) }),
    ...(listed.length > 0 && { resource_changes: listed.map(resourceChangeJson) }),
    ...unlessEmpty(
      "output_changes",
      Object.fromEntries(outputs.map((one) => [one.name, outputChangeJson(one)])),
    ),
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

const unlessEmpty = (name: string, object: JsonObject): JsonObject =>
  Object.keys(object).length === 0 ? {} : { [name]: object };

const withValue = (variables: Readonly<Record<string, Json>>): JsonObject =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, { value }]));
