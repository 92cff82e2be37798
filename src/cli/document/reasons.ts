import { type ActionReason, parseAddress, type ResourceAddress } from "../../engine";
import { oneLine, quote } from "../../text";
import { fieldName } from "../terminal/text";
import type { ReportObject } from "./model";

type Reasoned = ReportObject & Partial<Pick<ResourceAddress, "name" | "indexKey">>;

/**
 * The sentences for the reasons of actions, for all formats. If an attribute forces a replacement, the line of the attribute
 * already says so, so this table has no sentence for this reason.
 */
const REASONS: Readonly<Partial<Record<ActionReason, (object: Reasoned) => string>>> = {
  replace_because_tainted: () => "tainted",
  replace_by_request: () => "as requested",
  replace_by_triggers: () => "due to changes in replace_triggered_by",
  delete_because_no_resource_config: ({ type, name = "" }) =>
    `because ${fieldName(type)}.${fieldName(name)} is not in configuration`,
  delete_because_wrong_repetition: ({ indexKey }) =>
    indexKey === undefined
      ? "because resource uses count or for_each"
      : `because resource does not use ${typeof indexKey === "number" ? "count" : "for_each"}`,
  delete_because_count_index: ({ indexKey }) => `because index [${indexKey}] is out of range for count`,
  delete_because_no_move_target: ({ address, previous_address: before = "" }) =>
    `because ${oneLine(before)} was moved to ${oneLine(address)}, which is not in configuration`,
  delete_because_each_key: ({ indexKey }) =>
    `because key [${quote(String(indexKey))}] is not in for_each map`,
  read_because_config_unknown: () => "config refers to values not yet known",
  read_because_dependency_pending: () => "depends on a resource with changes pending",
  read_because_check_nested: () => "config will be reloaded to verify a check block",
};

/**
 * Returns a text that says why a plan replaces, destroys, forgets or reads these objects. Returns undefined if the objects have
 * different reasons, or if the lines of their attributes already show the reason.
 */
export function reasonText(objects: readonly ReportObject[]): string | undefined {
  const [why, ...others] = new Set(objects.map(reasonOf));
  return others.length === 0 ? why : undefined;
}

function reasonOf(object: ReportObject): string | undefined {
  const { action, address, deposed, reason, same_as: sameAs } = object;
  if (deposed !== undefined || (action === "create" && reason === "replace_by_triggers")) return undefined;
  if (action === "forget" && sameAs === undefined)
    return reason === "delete_because_each_key"
      ? "its project has left the fleet, or a layer drops it"
      : "destroy = false is set in the configuration";
  const named = (parseAddress(address) ?? {}) as Partial<ResourceAddress>;
  return reason && REASONS[reason as ActionReason]?.({ ...object, ...named } as Reasoned);
}
