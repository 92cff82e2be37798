import { projectAttribute } from "../attributes";
import type { LiveCollection } from "../collections";
import { defineResource, type Scope } from "../definition";
import { isAlreadyThere, isNotFound, settleAll, unless } from "../problems";
import { managed, type Reference } from "../schema";
import { invalidValue } from "../schema/validate";
import { allowedGroups, allowedProjects, toGroup, toProject } from "./job-token-allowlists";

const attributes = {
  project: projectAttribute("that is reached"),
  target_projects: managed.setOfReferences("project", {
    description:
      "All projects whose job tokens may reach `project`, by numeric id or full path. Whatever else is on the " +
      "allowlist is removed; `[]` empties it. Left out, the projects on the allowlist are not managed. " +
      "The project itself is always on it, and is not listed.",
  }),
  target_groups: managed.setOfReferences("group", {
    description:
      "All groups whose projects' job tokens may reach `project`, by numeric id or full path. Whatever else is on " +
      "the groups allowlist is removed; `[]` empties it. Left out, the groups are not managed.",
  }),
};

/** Both allowlists of a project as a whole (specification, "Job token scope (project)"). */
export const jobTokenAllowlist = defineResource({
  type: "job_token_allowlist",
  version: 0,
  description:
    "Owns the whole job token allowlist of a project: entries that nobody declared are removed. Destroying it " +
    "empties the sets that it manages. To own single entries use `steward_job_token_allowlist_project`. " +
    "Needs the Maintainer role.",
  attributes,
  container: "project",

  claims: ({ target_projects, target_groups }) => [
    ...(target_projects === null ? [] : [{ set: "job token allowlist of projects" }]),
    ...(target_groups === null ? [] : [{ set: "job token allowlist of groups" }]),
    { set: "job token allowlist" },
  ],
  check: ({ target_projects }, container) =>
    (target_projects ?? []).some(({ id }) => id === container)
      ? [
          invalidValue(
            ["target_projects"],
            "A project is always on its own allowlist. Take it out of the set.",
          ),
        ]
      : [],

  create: reconcile,
  read,
  update: reconcile,
  async delete(scope, _key, state) {
    const target = (managedSet: unknown) => (managedSet === null ? null : []);
    await reconcile(scope, {
      target_projects: target(state["target_projects"]),
      target_groups: target(state["target_groups"]),
    });
  },
  list: async (scope) => [await read(scope)],
});

async function read({ collection }: Scope) {
  const [projects, groups] = await Promise.all([
    collection(allowedProjects).all(),
    collection(allowedGroups).all(),
  ]);
  return {
    target_projects: [...projects.values()].map(toProject),
    target_groups: [...groups.values()].map(toGroup),
  };
}

type Sets = {
  readonly target_projects: readonly Reference[] | null;
  readonly target_groups: readonly Reference[] | null;
};

/** Adds what is missing first and removes what is left over last, so that nobody declared is ever locked out. */
async function reconcile(scope: Scope, { target_projects, target_groups }: Sets) {
  const { api, container } = scope;
  const { jobTokenScope } = api;
  await bring(scope.collection(allowedProjects), target_projects, {
    add: (id) => jobTokenScope.addProject(container, id),
    remove: (id) => jobTokenScope.removeProject(container, id),
  });
  await bring(scope.collection(allowedGroups), target_groups, {
    add: (id) => jobTokenScope.addGroup(container, id),
    remove: (id) => jobTokenScope.removeGroup(container, id),
  });
  return read(scope);
}

interface Writes {
  add(id: number): Promise<unknown>;
  remove(id: number): Promise<unknown>;
}

/** Brings one allowlist to the wanted entries; null leaves it alone. */
async function bring<T>(
  live: LiveCollection<number, T>,
  wanted: readonly Reference[] | null,
  { add, remove }: Writes,
) {
  if (wanted === null) return;
  const present = await live.all();
  const ids = new Set(wanted.map(({ id }) => id));
  const missing = [...ids].filter((id) => !present.has(id));
  const leftOver = [...present.keys()].filter((id) => !ids.has(id));
  if (missing.length + leftOver.length === 0) return;
  live.drop();
  await settleAll(missing.map((id) => unless(isAlreadyThere, add(id))));
  await settleAll(leftOver.map((id) => unless(isNotFound, remove(id))));
}
