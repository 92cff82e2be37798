import type { AllowlistGroup, AllowlistProject } from "../../../api";
import { continueWith, type Live } from "../../../framework";
import { type Reference, reference } from "../../../schema";
import type { Collection, ContainerKind, Scope } from "../../define";

/** The fields that identify a project on an allowlist. */
type AllowedProject = Pick<AllowlistProject, "id" | "path_with_namespace">;

/**
 * The allowlist of projects in a project's job token scope. The service always lists the project itself, and refuses
 * its removal, so `isMember` excludes the project itself.
 */
export const allowedProjects: Collection<number, AllowedProject, AllowlistProject> = {
  name: "job token allowlist of projects",
  list: (api, container) => api.jobTokenScope.allowlist(container),
  projection: ({ id, path_with_namespace }) => ({ id, path_with_namespace }),
  isMember: ({ id }, container) => id !== container,
  keyOf: (entry) => entry.id,
};

export const allowedGroups: Collection<number, AllowlistGroup> = {
  name: "job token allowlist of groups",
  list: (api, container) => api.jobTokenScope.groupsAllowlist(container),
  keyOf: (entry) => entry.id,
};

export const toProject = (entry: AllowedProject): Reference => reference(entry.id, entry.path_with_namespace);

/**
 * Converts an entry for a group to a reference. The entry has no field for the path, so the path is taken from the
 * end of `web_url`. If the URL is not usable, the reference contains only the id.
 */
export const toGroup = (entry: AllowlistGroup): Reference => reference(entry.id, groupPathIn(entry.web_url));

function groupPathIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const path = /\/groups\/(.+)$/.exec(new URL(address).pathname)?.[1];
  try {
    return path && decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns both allowlists of a project, with methods that read and change these allowlists. `remove` also removes the
 * entry from the cached list.
 */
export function allowlistsOf({ api, container, collection }: Scope) {
  const allowlist = <T>(
    live: Live<number, T>,
    toReference: (entry: T) => Reference,
    add: "addProject" | "addGroup",
    remove: "removeProject" | "removeGroup",
  ) => ({
    all: async () => [...(await live.all()).values()].map(toReference),
    drop: (since?: number) => live.drop(since),
    add: (id: number) => live.send<unknown>(() => api.jobTokenScope[add](container, id)),
    remove: (id: number) =>
      live.send<unknown>(() => api.jobTokenScope[remove](container, id)).then(() => live.removed(id)),
  });
  return {
    project: allowlist(collection(allowedProjects), toProject, "addProject", "removeProject"),
    group: allowlist(collection(allowedGroups), toGroup, "addGroup", "removeGroup"),
  };
}

export type Allowlist = ReturnType<typeof allowlistsOf>[ContainerKind];

/**
 * Returns the part of the definition that the resources for project entries and group entries have in common. The
 * attribute `target_project` or `target_group` contains the project or group that the entry allows.
 */
export function allowlistEntry<Kind extends ContainerKind, T>(
  kind: Kind,
  list: Collection<number, T>,
  toReference: (entry: T) => Reference,
  example: string,
) {
  type Target = { readonly [Name in `target_${Kind}`]: Reference };
  const attribute: `target_${Kind}` = `target_${kind}`;
  const found = (target: Reference) =>
    ({ [attribute]: target, [`${attribute}_id`]: target.id }) as Target & {
      readonly [Name in `target_${Kind}_id`]: number;
    };
  const idOf = (object: Target): string => String(object[attribute].id);
  return {
    container: "project" as const,
    feature: "its job token allowlist",
    key: {
      name: `target ${kind} id`,
      example,
      attributes: [attribute],
      of: idOf,
      label: (object: Target) => object[attribute].path ?? idOf(object),
    },
    access: {
      grants: "job_tokens" as const,
      [kind as "project"]: attribute,
      strictness: { isGrant: true, attributes: {} },
    },
    isEntry: true,
    owns: { entries: (declared: Target) => [{ set: list.name, entry: idOf(declared) }] },

    async create(scope: Scope, { [attribute]: target }: Target) {
      await allowlistsOf(scope)[kind].add(target.id);
      scope.collection(list).drop();
      return found(target);
    },
    read: ({ collection, expected }: Scope, key: string) =>
      continueWith(
        collection(list).get(Number(key), expected),
        (entry) => entry && found(toReference(entry)),
      ),
    async delete(scope: Scope, key: string): Promise<undefined> {
      await allowlistsOf(scope)[kind].remove(Number(key));
    },
    list: async ({ collection }: Scope) =>
      [...(await collection(list).all()).values()].map((entry) => found(toReference(entry))),
  };
}
