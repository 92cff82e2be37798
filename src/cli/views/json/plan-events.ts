import {
  type Action,
  type ActionReason,
  type OutputChange,
  type ResourceChange,
  type State,
  shownImportId,
} from "../../../engine";
import { type ChangedOutside, fieldsOf, isDeletedOutside } from "../../difference";
import { staysOnService } from "../../printing/own-provider";
import { placeOf } from "../../printing/place";
import { type JsonEvent, jsonEvent } from "./events";
import { resourceOf } from "./resource";

/** Terraform's action names in plan events. */
const PLANNED: Readonly<Record<Action, string>> = {
  "no-op": "noop",
  create: "create",
  read: "read",
  update: "update",
  delete: "delete",
  "delete-then-create": "replace",
  "create-then-delete": "replace",
  forget: "remove",
};

const REASONS: Readonly<Record<ActionReason, string>> = {
  replace_because_tainted: "tainted",
  replace_because_cannot_update: "cannot_update",
  replace_by_request: "requested",
  replace_by_triggers: "replace_triggered_by",
  delete_because_no_resource_config: "delete_because_no_resource_config",
  delete_because_wrong_repetition: "delete_because_wrong_repetition",
  delete_because_count_index: "delete_because_count_index",
  delete_because_each_key: "delete_because_each_key",
  delete_because_no_move_target: "delete_because_no_move_target",
  read_because_config_unknown: "read_because_config_unknown",
  read_because_dependency_pending: "read_because_dependency_pending",
  read_because_check_nested: "read_because_check_nested",
};

/** The action name of a change. An object that is only moved or imported has its own. */
function actionName({ action, importing, previousAddress }: ResourceChange): string {
  if (action !== "no-op") return PLANNED[action];
  if (importing !== undefined) return "import";
  return previousAddress === undefined ? PLANNED[action] : "move";
}

const changeJson = (change: ResourceChange) => ({
  resource: resourceOf(change.address),
  ...(change.previousAddress !== undefined && { previous_resource: resourceOf(change.previousAddress) }),
  action: actionName(change),
  ...(change.importing !== undefined && { importing: { id: shownImportId(change) } }),
  ...(change.reason !== undefined && { reason: REASONS[change.reason] }),
  ...(change.construct !== undefined && { construct: change.construct }),
  ...placeOf(change),
});

export const plannedChangeEvent = (change: ResourceChange, outside: ChangedOutside): JsonEvent =>
  jsonEvent("planned_change", `${change.address}: Plan to ${actionName(change)}`, {
    change: {
      ...changeJson(change),
      ...(outside.size > 0 && { changed_outside: outsideJson(change, outside) }),
      ...(isDeletedOutside(outside) && { deleted_outside: true }),
      ...(staysOnService(change) && { stays_on_service: true }),
      ...(change.replaced?.live && { live: change.replaced.live }),
      ...(change.replaced?.why !== undefined && { live_not_known: change.replaced.why }),
    },
  });

/** The attributes that were changed outside of this configuration. */
function outsideJson(change: ResourceChange, outside: ChangedOutside) {
  const hidden = new Set(
    fieldsOf(change)
      .filter(({ difference }) => difference.kind === "hidden")
      .map(({ name }) => name),
  );
  return [...outside].map(([name, { applied, live }]) =>
    hidden.has(name) ? { name, sensitive: true } : { name, sensitive: false, applied, live },
  );
}

/** An object that could not be checked. Its diagnostic gives the reason. */
export const uncheckedEvent = (address: string): JsonEvent =>
  jsonEvent("resource_unchecked", `${address}: Could not be checked`, { resource: resourceOf(address) });

/** `attributes` lists the drifted attributes, where they were compared. */
export function resourceDriftEvent(change: ResourceChange, attributes?: readonly unknown[]): JsonEvent {
  const action = change.after === null ? "delete" : change.action === "no-op" ? "move" : "update";
  return jsonEvent("resource_drift", `${change.address}: Drift detected (${action})`, {
    change: { ...changeJson(change), action, ...(attributes !== undefined && { attributes }) },
  });
}

/** The outputs of a plan. Values are reported after the apply. */
export const plannedOutputsEvent = (outputs: readonly OutputChange[]): JsonEvent =>
  jsonEvent("outputs", `Outputs: ${outputs.length}`, {
    outputs: Object.fromEntries(
      outputs.map(({ name, sensitive, action }) => [
        name,
        { sensitive, action: action === "no-op" ? "noop" : action },
      ]),
    ),
  });

/** The outputs after an apply, without the values of sensitive ones. */
export const appliedOutputsEvent = (outputs: State["outputs"]): JsonEvent =>
  jsonEvent("outputs", `Outputs: ${Object.keys(outputs).length}`, {
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, { sensitive, type, value }]) => [
        name,
        { sensitive, type, ...(!sensitive && { value }) },
      ]),
    ),
  });
