import {
  type ActionReason,
  type DriftedObject,
  factsOf,
  isWhollyKnown,
  type OutputChange,
  parseAddress,
  type ResourceAddress,
  type ResourceChange,
  recordedAction,
  type State,
  type UnmanagedObject,
  type ValueObject,
} from "../../../engine";
import {
  type ChangedOutside,
  fieldsOf,
  fieldsOfUndeclared,
  hiddenPathsOf,
  isDeletedOutside,
  secretNames,
  setDifference,
} from "../../difference";
import { driftFinding, unmanagedFinding, unmanagedName } from "../../findings/finding";
import { manageCommands } from "../../findings/manage-commands";
import { isKeptOnService, placeOf, placeOfUndeclared } from "../../objects/object-facts";
import type { NamedSource } from "../../terminal/terminal";
import { type JsonEvent, jsonEvent } from "./events";

/** The names of actions in Terraform's plan events, where they differ from the names in reports. */
const ACTIONS: Readonly<Record<string, string>> = { "no-op": "noop", forget: "remove" };

const actionName = (change: ResourceChange): string =>
  ACTIONS[recordedAction(change)] ?? recordedAction(change);

/** The names of reasons in Terraform's plan events, where they differ from the names in Terraform's plans. */
const REASONS: Readonly<Partial<Record<ActionReason, string>>> = {
  replace_by_request: "requested",
  replace_by_triggers: "replace_triggered_by",
};

const reasonName = (reason: ActionReason): string =>
  REASONS[reason] ?? reason.replace(/^replace_because_/, "");

/** Returns a change as an object with the field names of Terraform's events. */
function changeJson(change: ResourceChange) {
  const { address, previous_address: previous, import_id: id, reason } = factsOf(change);
  return {
    resource: resourceOf(address),
    previous_resource: previous && resourceOf(previous),
    action: actionName(change),
    importing: id === undefined ? undefined : { id },
    reason: reason && reasonName(reason),
    construct: change.construct,
    ...placeOf(change),
  };
}

export const plannedChangeEvent = (change: ResourceChange, outside: ChangedOutside): JsonEvent =>
  jsonEvent("planned_change", `${change.address}: Plan to ${actionName(change)}`, {
    change: {
      ...changeJson(change),
      ...(change.replacePaths.length > 0 && { replace_paths: change.replacePaths }),
      ...(outside.size > 0 && { changed_outside: outsideJson(change, outside) }),
      ...(isDeletedOutside(outside) && { deleted_outside: true }),
      ...(isKeptOnService(change) && { stays_on_service: true }),
      live: change.replaced?.live && withoutSecrets(change.replaced.live, secretsOf(change)),
      live_not_known: change.replaced?.why,
    },
  });

/** Returns the names of the attributes whose values may not be printed. */
const secretsOf = (change: ResourceChange): ReadonlySet<string> =>
  secretNames(fieldsOf(change), hiddenPathsOf(change));

const withoutSecrets = (values: ValueObject, secrets: ReadonlySet<string>): ValueObject =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name)));

/** Returns the attributes that were changed outside of this configuration, with their values. */
function outsideJson(change: ResourceChange, outside: ChangedOutside) {
  const hidden = secretsOf(change);
  return [...outside].map(([name, { applied, live }]) =>
    hidden.has(name) ? { name, sensitive: true } : { name, sensitive: false, applied, live },
  );
}

/** Returns the event for an object that could not be checked. A diagnostic contains the reason. */
export const uncheckedEvent = (address: string): JsonEvent =>
  jsonEvent("resource_unchecked", `${address}: Could not be checked`, { resource: resourceOf(address) });

/** @param attributes the names of the drifted attributes, if the run compared them */
export function resourceDriftEvent(change: ResourceChange, attributes?: readonly unknown[]): JsonEvent {
  const actionOfKept = change.action === "no-op" ? "move" : "update";
  const action = change.after === null ? "delete" : actionOfKept;
  return jsonEvent("resource_drift", `${change.address}: Drift detected (${action})`, {
    change: { ...changeJson(change), action, attributes },
  });
}

/** Returns the event with the outputs of a plan, without values. The values follow after the apply. */
export const plannedOutputsEvent = (outputs: readonly OutputChange[]): JsonEvent =>
  jsonEvent("outputs", `Outputs: ${outputs.length}`, {
    outputs: Object.fromEntries(
      outputs.map(({ name, sensitive, action }) => [
        name,
        { sensitive, action: action === "no-op" ? "noop" : action },
      ]),
    ),
  });

/** Returns the event with the outputs after an apply. Sensitive outputs have no value. */
export const appliedOutputsEvent = (outputs: State["outputs"]): JsonEvent =>
  jsonEvent("outputs", `Outputs: ${Object.keys(outputs).length}`, {
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, { sensitive, type, value }]) => [
        name,
        { sensitive, type, ...(!sensitive && { value }) },
      ]),
    ),
  });

/**
 * Returns Terraform's event `resource_drift`, with the drifted attributes as an addition. `applied` is the value in the state.
 * `declared` usually equals `applied`, and is absent if the declared value is known only after apply. Sensitive attributes have
 * no values.
 */
export function driftEvent(drifted: DriftedObject, stack: string | undefined): JsonEvent {
  const { change, attributes, declared, notKnownDeclared = [] } = drifted;
  const hidden = secretsOf(change);
  const driftedAttributes = attributes.map((name) => {
    const isNotKnown = notKnownDeclared.includes(name);
    const doubt = isNotKnown && ({ known_to_be_declared: false } as const);
    if (hidden.has(name)) return { name, sensitive: true, ...doubt };
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
    fingerprint: driftFinding(drifted, stack).fingerprint(),
  };
}

/** Returns the event for an undeclared live object, with the type and the id that an import needs. */
export function unmanagedEvent(object: UnmanagedObject, source?: NamedSource): JsonEvent {
  const { type, id, container, live } = object;
  const values = withoutSecrets(live, secretNames(fieldsOfUndeclared(object)));
  return jsonEvent("resource_unmanaged", `${unmanagedName(object)}: Unmanaged`, {
    resource: { resource_type: type, id_key: "id", id_value: id, container },
    ...placeOfUndeclared(object),
    live: values,
    undeclared: object.undeclared,
    commands: manageCommands(object, source),
    fingerprint: unmanagedFinding(object).fingerprint(),
  });
}

/** Parses an address such as `data.steward_project.web["shop"]` into the fields with which events identify a resource. */
export function resourceOf(address: string) {
  const {
    module = "",
    type = "",
    name = "",
    indexKey,
  } = (parseAddress(address) ?? {}) as Partial<ResourceAddress>;
  return {
    addr: address,
    module,
    resource: module === "" ? address : address.slice(module.length + 1),
    implied_provider: type.split("_")[0]!,
    resource_type: type,
    resource_name: name,
    resource_key: indexKey ?? null,
  };
}
