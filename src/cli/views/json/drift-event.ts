import { type DriftedObject, isWhollyKnown, type UnmanagedObject, type Value } from "../../../engine";
import { fieldsOf, fieldsOfUndeclared, setDifference } from "../../difference";
import { fingerprintOf, unmanagedName } from "../../drift/finding";
import { type JsonEvent, jsonEvent } from "./events";
import { resourceDriftEvent } from "./plan-events";

/** One attribute that differs on the service from what was applied. */
interface DriftedAttribute {
  readonly name: string;
  readonly sensitive: boolean;
  /** What the state has. Left out of sensitive attributes, as is all that follows. */
  readonly applied?: Value;
  /** What the code says by now: most often the same. Left out where that is known after apply only. */
  readonly declared?: Value;
  /** False where the configuration is not known, and the attribute may be left out of it. */
  readonly known_to_be_declared?: false;
  readonly live?: Value;
  /** For sets: what is on the service and was not applied, and the other way round. */
  readonly added?: readonly Value[];
  readonly missing?: readonly Value[];
}

/** Terraform's `resource_drift`, with the attributes that differ. */
export function driftEvent(drifted: DriftedObject, stack: string | undefined): JsonEvent {
  const { kind, change, attributes, declared, notKnownDeclared = [] } = drifted;
  const fields = new Map(fieldsOf(change).map(({ name, difference }) => [name, difference]));
  const told = attributes.map((name): DriftedAttribute => {
    const isNotKnown = notKnownDeclared.includes(name);
    const doubt = isNotKnown && ({ known_to_be_declared: false } as const);
    if (fields.get(name)?.kind === "hidden") return { name, sensitive: true, ...doubt };
    const applied = change.before?.[name] ?? null;
    const live = change.after?.[name] ?? null;
    const said = name in declared ? declared[name]! : applied;
    return {
      name,
      sensitive: false,
      applied,
      ...(isWhollyKnown(said) && !isNotKnown && { declared: said }),
      ...doubt,
      live,
      ...setDifference(applied, live, change.attributes[name]),
    };
  });
  return { ...resourceDriftEvent(change, told), fingerprint: fingerprintOf({ kind, stack, drifted }) };
}

/** Something live that nobody declares, by its type and the id that import takes. */
export function unmanagedEvent(object: UnmanagedObject): JsonEvent {
  const { type, id, container, live } = object;
  const hidden = new Set(
    fieldsOfUndeclared(object)
      .filter(({ difference }) => difference.kind === "hidden")
      .map(({ name }) => name),
  );
  const values = Object.fromEntries(Object.entries(live).filter(([name]) => !hidden.has(name)));
  return jsonEvent("resource_unmanaged", `${unmanagedName(object)}: Not declared`, {
    resource: { resource_type: type, id_key: "id", id_value: id, container },
    live: values,
    fingerprint: fingerprintOf({ kind: "unmanaged", object }),
  });
}
