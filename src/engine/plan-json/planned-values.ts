import { shown } from "../../language";
import { isWhollyKnown } from "../../schema";
import type { Json, JsonObject } from "../../state";
import type { OutputChange, ResourceChange } from "../model/plan";
import { inTerraformOrder } from "./changes";
import { knownAttributes, sensitivePart } from "./values";

/** The version of a type's schema. */
export type SchemaVersion = (change: ResourceChange) => number;

/** The known values after apply. */
export function plannedValues(
  changes: readonly ResourceChange[],
  outputs: readonly OutputChange[],
  schemaVersion: SchemaVersion,
): JsonObject {
  const resources = inTerraformOrder(changes)
    .filter(({ mode, action, after }) => after !== null && (mode === "managed" || action === "read"))
    .map((change) => plannedResource(change, schemaVersion));
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

function plannedResource(change: ResourceChange, schemaVersion: SchemaVersion): JsonObject {
  const { address, mode, type, name, indexKey, provider, after, attributes, afterSensitive } = change;
  const values = knownAttributes(shown(attributes, after!));
  return {
    address,
    mode,
    type,
    name,
    ...(indexKey !== undefined && { index: indexKey }),
    provider_name: provider,
    schema_version: schemaVersion(change),
    ...(Object.keys(values).length > 0 && { values }),
    sensitive_values: sensitivePart(after, attributes, afterSensitive),
  };
}
