import type { GroupProjectFilter, Project } from "../../api";
import type { ReferencedObject } from "../../framework";
import { computed, invalidValue, optional, required, type Value } from "../../schema";
import { fromGroup, fromProject } from "../containers";
import { type ContainerKind, type DataScope, defineDataSource } from "../define";
import { filtersIn, projectArgument, readOrFail } from "./records";

/**
 * Reads the object to which an argument refers. The function records the object, so that the run does not look up the
 * object again.
 * @throws ReferenceNotFound if the object does not exist
 */
async function noted<T>(
  { noteFound, followed }: DataScope,
  kind: ContainerKind,
  name: Value,
  reading: Promise<T>,
  from: (record: T) => ReferencedObject,
): Promise<T> {
  const found = await readOrFail(kind, name, reading);
  noteFound(kind, from(found));
  followed(kind, name, from(found).path);
  return found;
}

/** One group, by its id or path. */
export const group = defineDataSource({
  type: "group",
  description: "A group, by its numeric id or its full path.",
  attributes: {
    group: required.reference("group", "The group, by its numeric id or its full path."),
    id: computed.string("The numeric id as a string, to reference the group elsewhere."),
    name: computed.string("The name."),
    path: computed.string("The last part of the full path."),
    full_path: computed.string("The full path, such as `acme/platform`."),
    web_url: computed.string("The URL of the group's page."),
    parent: computed.string("The full path of the parent group; null for a top-level group."),
  },

  async read(scope, { group = null }) {
    const found = await noted(scope, "group", group, scope.api.groups.get(String(group)), fromGroup);
    const { id, name, path, full_path, web_url } = found;
    return {
      group,
      id: String(id),
      name,
      path,
      full_path,
      web_url,
      parent: full_path.includes("/") ? full_path.slice(0, full_path.lastIndexOf("/")) : null,
    };
  },
});

/** The attributes of a project except its id. */
const projectFields = {
  name: computed.string("The name."),
  path: computed.string("The last part of the full path."),
  full_path: computed.string("The full path, such as `acme/web-shop`."),
  web_url: computed.string("The URL of the project's page."),
  archived: computed.bool("Whether the project is archived, and therefore read-only."),
  default_branch: computed.string("The default branch; null if the repository is empty."),
};

/** One project, by its id or path. */
export const project = defineDataSource({
  type: "project",
  description: "A project, by its numeric id or its full path.",
  attributes: {
    project: projectArgument,
    id: computed.string("The numeric id as a string, to reference the project elsewhere."),
    ...projectFields,
  },

  async read(scope, { project = null }) {
    const found = await noted(
      scope,
      "project",
      project,
      scope.api.projects.get(String(project)),
      fromProject,
    );
    return { project, id: String(found.id), ...showProject(found) };
  },
});

const showProject = (project: Project) => ({
  name: project.name,
  path: project.path,
  full_path: project.path_with_namespace,
  web_url: project.web_url,
  archived: project.archived,
  default_branch: project.default_branch,
});

/** The projects of a group, or all projects that the token can see. */
export const projects = defineDataSource({
  type: "projects",
  description:
    "The projects of a group, or all projects that the token's user can see, for use in `for_each`.",
  attributes: {
    group: optional.reference(
      "group",
      "The group whose projects are listed, by its numeric id or its full path. If omitted, the list contains all " +
        "projects that the token's user can see, including public projects. On a large instance, set a filter.",
    ),
    include_subgroups: optional.bool({
      description: "Whether the list also contains projects of subgroups; requires `group`.",
      impliedDefault: false,
    }),
    topic: optional.string("A topic: the list contains only projects with this topic."),
    search: optional.string("A text: the list contains only projects whose name or path contains this text."),
    archived: optional.bool(
      "If `true`, the list contains only archived projects. If `false`, it contains no archived projects. If omitted, it contains all projects.",
    ),
    projects: computed.listOf(
      {
        id: computed.number("The numeric id."),
        ...projectFields,
      },
      "The projects. To reference a project elsewhere, use its `full_path`.",
    ),
  },

  validate: ({ group = null, include_subgroups = null }) =>
    group === null && include_subgroups !== null
      ? [
          invalidValue(
            ["include_subgroups"],
            "include_subgroups requires group. Set group, or remove include_subgroups.",
          ),
        ]
      : [],

  async read({ api, noteFound }, config) {
    const { group = null, include_subgroups = null, ...filters } = config;
    const filter = filtersIn<GroupProjectFilter>({ ...filters, include_subgroups });
    const list = group === null ? api.projects.list(filter) : api.groups.projects(String(group), filter);
    const records = await readOrFail("group", group, list.toArray());
    for (const project of records) noteFound("project", fromProject(project));
    return { ...config, projects: records.map((project) => ({ id: project.id, ...showProject(project) })) };
  },
});
