import type { GroupProjectFilter } from "../../api";
import { computed, invalidValue, optional } from "../../schema";
import { defineDataSource } from "../define";
import { filtersIn, recordsOf } from "./parts/arguments";
import { projectFields, showProject } from "./project";

/** Projects of a group, or all that this token sees. */
export const projects = defineDataSource({
  type: "projects",
  description:
    "Projects: those of a group, or all that this token's user can see. Made for `for_each` over many of them.",
  attributes: {
    group: optional.reference("group", {
      description:
        "The group whose projects are listed, by its numeric id or its full path. Left out, all projects are " +
        "listed that the token's user can see, public ones included: on a large instance, give a filter.",
    }),
    include_subgroups: optional.bool({
      description: "Whether projects of the group's subgroups are listed too; goes with `group`.",
      impliedDefault: false,
    }),
    topic: optional.string({ description: "Only projects that have this topic." }),
    search: optional.string({ description: "Only projects whose name or path contains this text." }),
    archived: optional.bool({
      description: "`true`: archived projects alone. `false`: those that are not. Left out: both.",
    }),
    projects: computed.listOf(
      {
        id: computed.number({ description: "The numeric id." }),
        ...projectFields,
      },
      { description: "The projects. To tell another declaration which one is meant, pass on `full_path`." },
    ),
  },

  validate: ({ group = null, include_subgroups = null }) =>
    group === null && include_subgroups !== null
      ? [invalidValue(["include_subgroups"], "It goes with a group alone. Give group, or leave it out.")]
      : [],

  async read({ api }, config) {
    const { group = null } = config;
    const filter = filtersIn<GroupProjectFilter>(config, "topic", "search", "archived");
    const found =
      group === null
        ? api.projects.list(filter)
        : api.groups.projects(String(group), {
            ...filter,
            ...filtersIn<GroupProjectFilter>(config, "include_subgroups"),
          });
    const listed = (await recordsOf("group", group, found)).map((project) => ({
      id: project.id,
      ...showProject(project),
    }));
    return { ...config, projects: listed };
  },
});
