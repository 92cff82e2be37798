import type { AllowlistGroup, AllowlistProject } from "../../../api";
import { type Reference, reference } from "../../../schema";
import type { Collection, Scope } from "../../define";

/** Of the twenty fields of a project on an allowlist, those that name it. */
export type AllowedProject = Pick<AllowlistProject, "id" | "path_with_namespace">;

/**
 * The two allowlists of a project's job token scope. Each holds the project itself as well, which can't be removed
 * and is nobody's business: it is left out here, once.
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

/** What adds an entry to one of them, and takes one out. */
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

/** A group's entry has no path of its own; its page's address ends with it. */
export function toGroup(entry: AllowlistGroup): Reference {
  const path = /\/groups\/(.+)$/.exec(new URL(entry.web_url).pathname)?.[1];
  return reference(entry.id, path && decodeURIComponent(path));
}
