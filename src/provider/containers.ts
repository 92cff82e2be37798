import type { Client, Group, Project, SharedProject } from "../api";
import type { ContainerLists, ReferencedObject } from "../framework";
import { reference } from "../schema";
import type { ContainerKind } from "./define";

export const fromProject = ({
  id,
  path_with_namespace,
  archived,
  topics,
  marked_for_deletion_on,
}: Project): ReferencedObject => ({
  ...reference(id),
  path: path_with_namespace,
  isArchived: archived ?? false,
  ...(marked_for_deletion_on !== null && { deletionScheduledOn: marked_for_deletion_on }),
  ...(topics !== undefined && topics.length > 0 && { labels: topics }),
});

/**
 * Converts the record of a single project. Unlike a record in a list, the record contains the groups with which the
 * project is shared, and the level of the token's user.
 */
export const fromSharedProject = (project: SharedProject): ReferencedObject => ({
  ...fromProject(project),
  ...(project.permissions && { level: levelIn(project.permissions) }),
  related: project.shared_with_groups.map(({ group_id, group_full_path }) => ({
    kind: "group",
    id: group_id,
    path: group_full_path,
  })),
});

const levelIn = ({ project_access, group_access }: NonNullable<SharedProject["permissions"]>): number =>
  Math.max(project_access?.access_level ?? 0, group_access?.access_level ?? 0);

export const fromGroup = ({ id, full_path, marked_for_deletion_on }: Group): ReferencedObject => ({
  ...reference(id),
  path: full_path,
  ...(marked_for_deletion_on !== null && { deletionScheduledOn: marked_for_deletion_on }),
});

interface Listed<Item extends { readonly id: number }> {
  pages(
    maxPages?: number,
    onCount?: (count: number, mayShift: boolean) => void,
  ): Promise<AsyncIterable<readonly Item[]> | undefined>;
}

/**
 * Returns the containers of one kind, page by page. If records can move between pages during the read, the function
 * reads the list twice.
 */
const eachOf = <Item extends { readonly id: number }>(
  kind: ContainerKind,
  from: (record: Item) => ReferencedObject,
) =>
  async function* (list: Listed<Item>) {
    const seen = new Set<number>();
    let isRepeated = false;
    const read = () =>
      list.pages(undefined, (_, mayShift) => {
        isRepeated = mayShift;
      });
    for await (const page of (await read())!) {
      for (const { id } of page) seen.add(id);
      yield page.map((record) => ({ kind, ...from(record) }));
    }
    if (!isRepeated) return;
    for await (const page of (await read())!) {
      const fresh = page.filter(({ id }) => !seen.has(id));
      if (fresh.length > 0) yield fresh.map((record) => ({ kind, ...from(record) }));
    }
  };

const projectsOf = eachOf("project", fromProject);
const groupsOf = eachOf("group", fromGroup);

/** The lowest level that a member can have. */
const MINIMAL_ACCESS = 5;

/** Lists groups and projects for the framework. */
export const containers: ContainerLists<Client, ContainerKind | "user"> = {
  nesting: {
    group: {
      kinds: ["group", "project"],
      attribute: "include_subgroups",
      description: "Whether subgroups of the group, at any depth, are included. Default: `false`.",
    },
  },
  async *inside(api, { kind, id }, hasNested, only) {
    if (kind !== "group") return;
    if (hasNested && only !== "project") yield* groupsOf(api.groups.descendants(id));
    // The list leaves out projects that are only shared with the group, because they belong to another group.
    if (only !== "group")
      yield* projectsOf(api.groups.projects(id, { include_subgroups: hasNested, with_shared: false }));
  },
  async *all(api, { topic, search }, isAdministrator) {
    const found = search !== undefined && { search };
    // Groups have no topics, so a filter by topic returns no groups.
    if (topic === undefined) {
      const own = !isAdministrator && { min_access_level: MINIMAL_ACCESS };
      yield* groupsOf(api.groups.list({ ...found, ...own }));
    }
    const own = !isAdministrator && { membership: true };
    yield* projectsOf(api.projects.list({ ...(topic !== undefined && { topic }), ...found, ...own }));
  },
};
