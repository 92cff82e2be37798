import type { AllowlistGroup, AllowlistProject } from "../../../api";
import { type Reference, reference } from "../../../schema";
import type { Collection, Scope } from "../../define";

/** The fields of a project on an allowlist that identify it. */
export type AllowedProject = Pick<AllowlistProject, "id" | "path_with_namespace">;

/**
 * The allowlist of projects in a project's job token scope. The service always lists the project itself, which can't be
 * removed: `select` filters it out.
 */
export const allowedProjects: Collection<number, AllowedProject, AllowlistProject> = {
  name: "job token allowlist of projects",
  list: (api, container) => api.jobTokenScope.allowlist(container),
  projection: ({ id, path_with_namespace }) => ({ id, path_with_namespace }),
  select: ({ id }, container) => id !== container,
  keyOf: (entry) => entry.id,
};

export const allowedGroups: Collection<number, AllowlistGroup> = {
  name: "job token allowlist of groups",
  list: (api, container) => api.jobTokenScope.groupsAllowlist(container),
  keyOf: (entry) => entry.id,
};

/** The operations that add and remove entries of both allowlists. */
export function entriesOf({ api, container, collection }: Scope) {
  const [projects, groups] = [collection(allowedProjects), collection(allowedGroups)];
  const { addProject, removeProject, addGroup, removeGroup } = api.jobTokenScope;
  return {
    addProject: (id: number) => projects.send(() => addProject(container, id)),
    removeProject: (id: number) => projects.send(() => removeProject(container, id)),
    addGroup: (id: number) => groups.send(() => addGroup(container, id)),
    removeGroup: (id: number) => groups.send(() => removeGroup(container, id)),
  };
}

export const toProject = (entry: AllowedProject): Reference => reference(entry.id, entry.path_with_namespace);

/** A group's record has no path field: its `web_url` ends with the path. */
export function toGroup(entry: AllowlistGroup): Reference {
  const path = /\/groups\/(.+)$/.exec(new URL(entry.web_url).pathname)?.[1];
  return reference(entry.id, path && decodeURIComponent(path));
}
