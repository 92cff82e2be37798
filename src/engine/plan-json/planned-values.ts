import { shown } from "../../language";
import { isWhollyKnown, type ResourceSchema } from "../../schema";
import type { Json, JsonObject, ResourceState } from "../../state";
import type { OutputChange, ResourceChange } from "../model/plan";
import { inTerraformOrder } from "./changes";
import { knownAttributes, sensitivePart } from "./values";

/** Finds the schema of a type. */
export type SchemaOf = (
  resource: Pick<ResourceState, "mode" | "type">,
) => Pick<ResourceSchema, "version" | "attributes" | "identity"> | undefined;

/** The known values after apply. */
export function plannedValues(
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
  const { address, mode, type, name, indexKey, provider, after, afterIdentity, attributes, afterSensitive } =
    change;
  const values = knownAttributes(shown(attributes, after!));
  const schema = schemaOf(change);
  return {
    address,
    mode,
    type,
    name,
    ...(indexKey !== undefined && { index: indexKey }),
    provider_name: provider,
    schema_version: schema?.version ?? 0,
    ...(Object.keys(values).length > 0 && { values }),
    sensitive_values: sensitivePart(after, attributes, afterSensitive),
    ...(afterIdentity && {
      identity_schema_version: schema?.identity?.version ?? 0,
      identity: afterIdentity as JsonObject,
    }),
  };
}
