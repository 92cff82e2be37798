import { computed } from "../../schema";
import { defineDataSource } from "../define";
import { allowedGroups, allowedProjects } from "../resources/parts/job-token-allowlists";
import { foundIn, projectArgument } from "./parts/arguments";

const text = (description: string) => computed.string({ description });

const namespace = {
  id: computed.number({ description: "The numeric id." }),
  name: text("The name."),
  path: text("The last part of the full path."),
  kind: text("`group` or `user`."),
  full_path: text("The full path."),
  parent_id: computed.number({ description: "The numeric id of the group above; null at the top." }),
  avatar_url: text("The address of the picture; null where there is none."),
  web_url: text("The address of the page."),
};

const limitedProject = {
  id: computed.number({ description: "The numeric id." }),
  description: text("What it is for; null where nothing was said."),
  name: text("The name."),
  name_with_namespace: text("The name, after those of the groups above."),
  path: text("The last part of the full path."),
  path_with_namespace: text("The full path."),
  created_at: text("When it was made."),
  default_branch: text("The default branch; null in an empty repository."),
  tag_list: computed.listOfStrings({ description: "The topics, under their former name." }),
  topics: computed.listOfStrings({ description: "The topics." }),
  ssh_url_to_repo: text("The address of the repository over SSH."),
  http_url_to_repo: text("The address of the repository over HTTP."),
  web_url: text("The address of the project's page."),
  avatar_url: text("The address of the picture; null where there is none."),
  star_count: computed.number({ description: "How many users starred it." }),
  last_activity_at: text("When anything happened there last."),
  namespace: computed.object(namespace, { description: "The group or user that holds it." }),
};

/** Job token scope settings and both allowlists (specification, "Job token scope (project)"). */
export const jobTokenScope = defineDataSource({
  type: "job_token_scope",
  description:
    "Whether a project limits which job tokens may reach it, and which projects and groups it lets in. " +
    "Needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    inbound_enabled: computed.bool({
      description: "Whether access is limited to the allowlist. When `false`, every project has access.",
    }),
    outbound_enabled: computed.bool({
      description:
        "Whether job tokens made in this project can reach other projects. Null where the service has dropped it.",
      deprecated: "the service removes this setting in release 18.0.",
    }),
    projects: computed.listOf(limitedProject, {
      description:
        "The projects on the allowlist. The project itself, which always is on its own, is left out here.",
    }),
    groups: computed.listOf(
      {
        id: computed.number({ description: "The numeric id." }),
        web_url: text("The address of the group's page, which ends with its full path."),
        name: text("The name."),
      },
      { description: "The groups on the allowlist." },
    ),
  },

  shows: [allowedProjects],
  async read({ api, idOf, collection }, config) {
    const { project = null } = config;
    const id = await idOf("project", project);
    const reading = Promise.all([
      api.jobTokenScope.get(id),
      collection(id, allowedProjects).readWhole(),
      collection(id, allowedGroups).readWhole(),
    ]);
    const [settings, projects, groups] = await foundIn("project", project, reading);
    return { ...config, ...settings, projects: [...projects.values()], groups: [...groups.values()] };
  },
});
