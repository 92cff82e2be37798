import type { DriftedObject } from "../../../engine";
import type { Value } from "../../../provider/schema";
import { setDifference } from "../difference";
import { fieldsOf } from "../resource-change";
import type { JsonEvent } from "./events";
import { resourceDriftEvent } from "./plan-events";

/** One attribute that differs on the service from what is declared. */
interface DriftedAttribute {
  readonly name: string;
  readonly sensitive: boolean;
  /** Left out of sensitive attributes, as is all that follows. */
  readonly declared?: Value;
  readonly live?: Value;
  /** For sets: what is on the service and not declared, and the other way round. */
  readonly added?: readonly Value[];
  readonly missing?: readonly Value[];
}

/** Terraform's `resource_drift`, with the attributes that differ. */
export function driftEvent({ change, attributes }: DriftedObject): JsonEvent {
  const fields = new Map(fieldsOf(change).map(({ name, difference }) => [name, difference]));
  const drifted = attributes.map((name): DriftedAttribute => {
    if (fields.get(name)?.kind === "hidden") return { name, sensitive: true };
    const declared = change.before?.[name] ?? null;
    const live = change.after?.[name] ?? null;
    return {
      name,
      sensitive: false,
      declared,
      live,
      ...setDifference(declared, live, change.attributes[name]),
    };
  });
  return resourceDriftEvent(change, drifted);
}
