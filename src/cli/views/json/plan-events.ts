import {
  type Action,
  type ActionReason,
  type DriftedObject,
  isWhollyKnown,
  type OutputChange,
  type ResourceChange,
  type State,
  shownImportId,
  type UnmanagedObject,
  type Value,
} from "../../../engine";
import {
  type ChangedOutside,
  fieldsOf,
  fieldsOfUndeclared,
  isDeletedOutside,
  setDifference,
} from "../../difference";
import { fingerprintOf, unmanagedName } from "../../drift/finding";
import { manageCommands } from "../../drift/manage-commands";
import { placeOf, placeOfUndeclared, staysOnService } from "../../printing/own-provider";
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

/** One attribute whose live value differs from the applied one. */
interface DriftedAttribute {
  readonly name: string;
  readonly sensitive: boolean;
  /** The value in the state. Sensitive attributes have no values at all. */
  readonly applied?: Value;
  /** The declared value, usually the applied one. Absent if it is only known after apply. */
  readonly declared?: Value;
  /** False if the attribute is optional and its declaration is unknown. */
  readonly known_to_be_declared?: false;
  readonly live?: Value;
  /**
   * For sets: elements that are live but were not applied, and elements that were applied but are not live.
   */
  readonly added?: readonly Value[];
  readonly missing?: readonly Value[];
}

/** Terraform's `resource_drift`, with the drifted attributes. */
export function driftEvent(drifted: DriftedObject, stack: string | undefined): JsonEvent {
  const { kind, change, attributes, declared, notKnownDeclared = [] } = drifted;
  const fields = new Map(fieldsOf(change).map(({ name, difference }) => [name, difference]));
  const driftedAttributes = attributes.map((name): DriftedAttribute => {
    const isNotKnown = notKnownDeclared.includes(name);
    const doubt = isNotKnown && ({ known_to_be_declared: false } as const);
    if (fields.get(name)?.kind === "hidden") return { name, sensitive: true, ...doubt };
    const applied = change.before?.[name] ?? null;
    const live = change.after?.[name] ?? null;
    const declaredValue = name in declared ? declared[name]! : applied;
    return {
      name,
      sensitive: false,
      applied,
      ...(isWhollyKnown(declaredValue) && !isNotKnown && { declared: declaredValue }),
      ...doubt,
      live,
      ...setDifference(applied, live, change.attributes[name]),
    };
  });
  return {
    ...resourceDriftEvent(change, driftedAttributes),
    fingerprint: fingerprintOf({ kind, stack, drifted }),
  };
}

/** A live object that is not declared, with the type and the id for an import. */
export function unmanagedEvent(object: UnmanagedObject): JsonEvent {
  const { type, id, container, live } = object;
  const hidden = new Set(
    fieldsOfUndeclared(object)
      .filter(({ difference }) => difference.kind === "hidden")
      .map(({ name }) => name),
  );
  const values = Object.fromEntries(Object.entries(live).filter(([name]) => !hidden.has(name)));
  return jsonEvent("resource_unmanaged", `${unmanagedName(object)}: Unmanaged`, {
    resource: { resource_type: type, id_key: "id", id_value: id, container },
    ...placeOfUndeclared(object),
    live: values,
    ...(object.undeclared && { undeclared: object.undeclared }),
    commands: manageCommands(object),
    fingerprint: fingerprintOf({ kind: "unmanaged", object }),
  });
}
