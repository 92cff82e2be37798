import {
  type Attributes,
  type IdOf,
  isNumericId,
  type Plan,
  type ResourceChange,
  spelledLike,
  type ValueObject,
} from "../../engine";
import { idPartsOf } from "../printing/own-provider";

/**
 * Returns the ids of paths that a plan shows. It shows them in data sources, in ids of objects, and in attributes such as
 * `target_project_id` next to `target_project`.
 *
 * @param paths full paths by kind and numeric id, such as `project 42`
 */
export function recordedIds(
  { changes, drift }: Pick<Plan, "changes" | "drift">,
  paths: ReadonlyMap<string, string>,
): IdOf {
  const ids = new Map<string, number>();
  const record = (kind: string, path: unknown, id: unknown) => {
    if (typeof path === "string" && !isNumericId(path) && isNumericId(String(id)))
      ids.set(nameOf(kind, path), Number(id));
  };
  for (const [name, path] of paths) {
    const [kind = "", id] = name.split(" ");
    record(kind, path, id);
  }
  for (const { type, attributes, before, after } of [...drift, ...changes])
    for (const values of [before, after]) if (values !== null) recordOf(type, attributes, values, record);
  return (kind, text) => ids.get(nameOf(kind, text));
}

/** Paths are compared without case, as the service does. */
const nameOf = (kind: string, path: string): string => `${kind} ${path.toLowerCase()}`;

function recordOf(
  ofType: string,
  attributes: Attributes,
  values: ValueObject,
  record: (kind: string, path: unknown, id: unknown) => void,
): void {
  for (const [name, { type }] of Object.entries(attributes)) {
    if (type.kind !== "reference") continue;
    record(type.to, values[name], values[`${name}_id`]);
    if (name === type.to && typeof values["id"] === "string")
      record(type.to, values[name], idPartsOf(ofType, values["id"])?.container);
  }
}

/** A change whose values before are spelled like those after it. */
export function withSameSpelling(change: ResourceChange, idOf: IdOf): ResourceChange {
  const { attributes, before, after } = change;
  if (before === null || after === null) return change;
  const spelled = spelledLike(attributes, before, after, idOf);
  return spelled === before ? change : { ...change, before: spelled };
}
