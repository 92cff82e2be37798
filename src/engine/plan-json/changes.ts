import { compareText, shown } from "../../language";
import { isWhollyKnown } from "../../schema";
import { compareInstances, type Json, type JsonObject } from "../../state";
import type { Action, OutputChange, ResourceChange } from "../model/plan";
import { knownAttributes, knownPart, sensitivePart, unknownAttributes, unknownPart } from "./values";

const ACTIONS: Readonly<Record<Action, string[]>> = {
  "no-op": ["no-op"],
  create: ["create"],
  read: ["read"],
  update: ["update"],
  delete: ["delete"],
  "delete-then-create": ["delete", "create"],
  "create-then-delete": ["create", "delete"],
  forget: ["forget"],
};

/** Sorts objects as Terraform does: data sources first, indexes by number. */
export const inTerraformOrder = (changes: readonly ResourceChange[]): ResourceChange[] =>
  [...changes].sort(
    (one, other) =>
      compareText(one.mode, other.mode) ||
      compareText(one.type, other.type) ||
      compareText(one.name, other.name) ||
      compareInstances(keyOnly(one), keyOnly(other)),
  );

const keyOnly = ({ indexKey }: ResourceChange) =>
  ({ ...(indexKey !== undefined && { indexKey }) }) as Parameters<typeof compareInstances>[0];

/** One entry of `resource_changes` or `resource_drift`. */
export function resourceChangeJson(change: ResourceChange): JsonObject {
  const { address, previousAddress, mode, type, name, indexKey, deposed, provider, reason } = change;
  return {
    address,
    ...(previousAddress !== undefined && { previous_address: previousAddress }),
    mode,
    type,
    name,
    ...(indexKey !== undefined && { index: indexKey }),
    provider_name: provider,
    ...(deposed !== undefined && { deposed }),
    change: changeJson(change),
    ...(reason !== undefined && { action_reason: reason }),
  };
}

function changeJson(change: ResourceChange): JsonObject {
  const { action, attributes, replacePaths, importing, beforeIdentity, afterIdentity } = change;
  const before = change.before && shown(attributes, change.before);
  const after = change.after && shown(attributes, change.after);
  return {
    actions: ACTIONS[action],
    before: before && knownAttributes(before),
    after: after && knownAttributes(after),
    // Terraform omits the mask of a wholly known object.
    after_unknown: after === null || isWhollyKnown(after) ? {} : unknownAttributes(after),
    before_sensitive: sensitivePart(before, attributes, change.beforeSensitive),
    after_sensitive: sensitivePart(after, attributes, change.afterSensitive),
    ...(replacePaths.length > 0 && { replace_paths: replacePaths.map((path): Json => [...path]) }),
    ...(importing !== undefined && { importing: importingJson(importing) }),
    ...(beforeIdentity && { before_identity: beforeIdentity as JsonObject }),
    ...(afterIdentity && { after_identity: afterIdentity as JsonObject }),
  };
}

/** As in Terraform, the id or the identity, whichever names the object. */
const importingJson = ({ id, identity }: NonNullable<ResourceChange["importing"]>): JsonObject =>
  identity === undefined ? { id } : { identity: identity as JsonObject };

/** One entry of `output_changes`. */
export function outputChangeJson({ action, before, after, sensitive }: OutputChange): JsonObject {
  const known = knownPart(after);
  return {
    actions: [action],
    before: knownPart(before) ?? null,
    ...(known !== undefined && { after: known }),
    after_unknown: isWhollyKnown(after) ? false : unknownPart(after),
    before_sensitive: sensitive,
    after_sensitive: sensitive,
  };
}
