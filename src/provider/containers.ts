import type { Client, Group, Project } from "../api";
import type { ContainerLists, ReferencedObject } from "../framework";
import { reference } from "../schema";
import type { ContainerKind } from "./define";

export const fromProject = ({ id, path_with_namespace, archived, topics }: Project): ReferencedObject => ({
  ...reference(id),
  path: path_with_namespace,
  isArchived: archived ?? false,
  ...(topics !== undefined && topics.length > 0 && { labels: topics }),
});

export const fromGroup = ({ id, full_path }: Group): ReferencedObject => ({
  ...reference(id),
  path: full_path,
});

/** The containers of one kind, page by page. */
const eachOf = <Item>(kind: ContainerKind, from: (record: Item) => ReferencedObject) =>
  async function* (list: PagedList<Item>) {
    for await (const page of (await list.pages())!) yield page.map((record) => ({ kind, ...from(record) }));
  };

interface PagedList<Item> {
  pages(): Promise<AsyncIterable<readonly Item[]> | undefined>;
}

const projectsOf = eachOf("project", fromProject);
const groupsOf = eachOf("group", fromGroup);

/** The lowest level of a member. */
const MINIMAL_ACCESS = 5;

/** Lists of groups and projects. */
export const containers: ContainerLists<Client, ContainerKind | "user"> = {
  nesting: {
    group: {
      kinds: ["group", "project"],
      attribute: "include_subgroups",
      description: "Whether subgroups of the group, at any depth, are included. Default: `false`.",
    },
  },
  inside(api, { kind, id }, hasNested, only) {
    if (kind !== "group") return undefined;
    return chained(
      ...(hasNested && only !== "project" ? [() => groupsOf(api.groups.descendants(id))] : []),
      // Projects that are only shared with the group belong to another one.
      ...(only === "group"
        ? []
        : [() => projectsOf(api.groups.projects(id, { include_subgroups: hasNested, with_shared: false }))]),
    );
  },
  all: (api, { topic, search }, isAdministrator) =>
    chained(
      // Groups have no topics.
      ...(topic === undefined
        ? [
            () =>
              groupsOf(
                api.groups.list({
                  ...(search !== undefined && { search }),
                  ...(!isAdministrator && { min_access_level: MINIMAL_ACCESS }),
                }),
              ),
          ]
        : []),
      () =>
        projectsOf(
          api.projects.list({
            ...(topic !== undefined && { topic }),
            ...(search !== undefined && { search }),
            ...(!isAdministrator && { membership: true }),
          }),
        ),
    ),
};

async function* chained<Page>(...lists: readonly (() => AsyncIterable<Page>)[]): AsyncGenerator<Page> {
  for (const open of lists) yield* open();
}
