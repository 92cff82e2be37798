import * as z from "zod/mini";
import {
  type Attributes,
  type IdOf,
  isNumericId,
  type Plan,
  type ResourceChange,
  resourcesInState,
  spelledLike,
  type ValueObject,
} from "../../engine";
import { containerOf, idPartsOf } from "./object-facts";

/** The values of a project or group in a data source of a plan. */
const record = z.object({ id: z.union([z.string(), z.number()]), full_path: z.string() });
const resource = z.object({
  mode: z.string(),
  type: z.string(),
  values: z.union([record, z.object({ projects: z.array(record) })]),
});

/**
 * Adds the paths of projects and groups to a plan that Terraform or an earlier run made. Declarations may name projects by id;
 * the data sources in the plan contain the paths. If a change replaces the id of a project with the path of this project, both
 * values get the same form, so they are equal.
 */
export function withRecordedContainers(plan: Plan): Plan {
  const paths = recordedPaths(plan);
  const idOf = recordedIds(plan, paths);
  const named = (change: ResourceChange): ResourceChange => {
    const container = containerOf(change);
    const path = container && paths.get(`${container.kind} ${container.name}`);
    const spelled = withSameSpelling(change, idOf);
    return path === undefined ? spelled : { ...spelled, container: { ...container!, name: path } };
  };
  const { changing: _, ...rest } = plan;
  return { ...rest, changes: plan.changes.map(named), drift: plan.drift.map(named) };
}

/**
 * Returns the full paths of projects and groups that the data sources of a plan contain. The keys are kind and numeric id, such
 * as `project 42`.
 */
export const recordedPaths = ({ basis }: Plan): ReadonlyMap<string, string> =>
  new Map(resourcesInState(basis.priorState).flatMap(pathsIn));

function pathsIn(one: unknown): (readonly [string, string])[] {
  const { mode, type, values } = resource.safeParse(one).data ?? {};
  const kind = /_(project|group)s?$/.exec(type ?? "")?.[1];
  if (mode !== "data" || kind === undefined || values === undefined) return [];
  const records = "projects" in values ? values.projects : [values];
  return records.map(({ id, full_path }) => [`${kind} ${id}`, full_path] as const);
}

/**
 * Returns a function that finds the numeric id of a path in a plan. A plan contains numeric ids in data sources, in ids of
 * objects, and in attributes such as `target_project_id` next to `target_project`.
 *
 * @param paths full paths by kind and numeric id, such as `project 42`
 */
function recordedIds(
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

/** Returns the name of a project or group as a key. The path is in lower case, because the service ignores case in paths. */
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

/** Makes a change comparable: returns it with the old values naming projects by path or id in the same way as the new values. */
function withSameSpelling(change: ResourceChange, idOf: IdOf): ResourceChange {
  const { attributes, before, after } = change;
  if (before === null || after === null) return change;
  const spelled = spelledLike(attributes, before, after, idOf);
  return spelled === before ? change : { ...change, before: spelled };
}
