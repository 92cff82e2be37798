import * as z from "zod/mini";
import type { Plan, ResourceChange } from "../../engine";
import { containerOf } from "../printing/place";

/** A project or a group as its data source shows it. */
const record = z.object({ id: z.union([z.string(), z.number()]), full_path: z.string() });
const resource = z.object({
  mode: z.string(),
  type: z.string(),
  values: z.union([record, z.object({ projects: z.array(record) })]),
});
const stateModule = z.object({
  resources: z.optional(z.array(z.unknown())),
  get child_modules() {
    return z.optional(z.array(stateModule));
  },
});
const state = z.object({ values: z.object({ root_module: stateModule }) });

type Module = z.infer<typeof stateModule>;

/**
 * A plan that was made elsewhere or earlier, with the paths of the projects and groups that its declarations name by id, as far as
 * the data sources in it show them.
 */
export function withRecordedContainers(plan: Plan): Plan {
  const paths = recordedPaths(plan);
  if (paths.size === 0) return plan;
  const named = (change: ResourceChange): ResourceChange => {
    const container = containerOf(change);
    const path = container && paths.get(`${container.kind} ${container.name}`);
    return path === undefined ? change : { ...change, container: { ...container!, name: path } };
  };
  return { ...plan, changes: plan.changes.map(named), drift: plan.drift.map(named) };
}

/** Full paths by kind and numeric id (`project 42`), as far as the data sources of a plan show them. */
export function recordedPaths(plan: Plan): ReadonlyMap<string, string> {
  const { data } = state.safeParse(plan.basis.priorState);
  return new Map(data === undefined ? [] : pathsIn(data.values.root_module));
}

function pathsIn({ resources = [], child_modules = [] }: Module): (readonly [string, string])[] {
  const own = resources.flatMap((one) => {
    const { mode, type, values } = resource.safeParse(one).data ?? {};
    const kind = /_(project|group)s?$/.exec(type ?? "")?.[1];
    if (mode !== "data" || kind === undefined || values === undefined) return [];
    const records = "projects" in values ? values.projects : [values];
    return records.map(({ id, full_path }) => [`${kind} ${id}`, full_path] as const);
  });
  return [...own, ...child_modules.flatMap(pathsIn)];
}
