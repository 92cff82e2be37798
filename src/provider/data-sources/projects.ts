import type { GroupProjectFilter } from "../../api";
import { computed, invalidValue, optional } from "../../schema";
import { fromProject } from "../containers";
import { defineDataSource } from "../define";
import { filtersIn, recordsOf } from "./parts/records";
import { projectFields, showProject } from "./project";

/** The projects of a group, or all that the token can see. */
export const projects = defineDataSource({
  type: "projects",
  description:
    "The projects of a group, or all projects that the token's user can see, for use in `for_each`.",
  attributes: {
    group: optional.reference(
      "group",
      "The group whose projects are listed, by its numeric id or its full path. If omitted, all projects " +
        "that the token's user can see are listed, including public ones: on a large instance, set a filter.",
    ),
    include_subgroups: optional.bool({
      description: "Whether projects of the group's subgroups are listed too; requires `group`.",
      impliedDefault: false,
    }),
    topic: optional.string("Only projects that have this topic."),
    search: optional.string("Only projects whose name or path contains this text."),
    archived: optional.bool(
      "`true`: only archived projects. `false`: only projects that are not archived. If omitted: both.",
    ),
    projects: computed.listOf(
      {
        id: computed.number("The numeric id."),
        ...projectFields,
      },
      "The projects. Use `full_path` to reference one of them elsewhere.",
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
    const { group = null } = config;
    const filter = filtersIn<GroupProjectFilter>(config, "topic", "search", "archived");
    const found =
      group === null
        ? api.projects.list(filter)
        : api.groups.projects(String(group), {
            ...filter,
            ...filtersIn<GroupProjectFilter>(config, "include_subgroups"),
          });
    const records = await recordsOf("group", group, found);
    for (const project of records) noteFound("project", fromProject(project));
    return { ...config, projects: records.map((project) => ({ id: project.id, ...showProject(project) })) };
  },
});
