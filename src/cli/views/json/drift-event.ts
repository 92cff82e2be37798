import { type DriftedObject, isWhollyKnown, type UnmanagedObject, type Value } from "../../../engine";
import { fieldsOf, fieldsOfUndeclared, setDifference } from "../../difference";
import { fingerprintOf, unmanagedName } from "../../drift/finding";
import { manageCommands } from "../../drift/manage-commands";
import { placeOfUndeclared } from "../../printing/place";
import { type JsonEvent, jsonEvent } from "./events";
import { resourceDriftEvent } from "./plan-events";

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
