import type { Project } from "../../api";
import { ReferenceNotFound } from "../../framework";
import { computed } from "../../schema";
import { fromProject } from "../containers";
import { defineDataSource } from "../define";
import { orNothing } from "../failure-of";
import { projectArgument } from "./parts/records";

/** The attributes of a project other than its id. */
export const projectFields = {
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

  async read({ api, followed, noteFound }, config) {
    const name = String(config["project"]);
    const found = await orNothing(api.projects.get(name));
    if (found === undefined) throw new ReferenceNotFound("project", name, ["project"]);
    noteFound("project", fromProject(found));
    followed("project", name, found.path_with_namespace);
    return { project: config["project"] ?? null, id: String(found.id), ...showProject(found) };
  },
});

export const showProject = (project: Project) => ({
  name: project.name,
  path: project.path,
  full_path: project.path_with_namespace,
  web_url: project.web_url,
  archived: project.archived,
  default_branch: project.default_branch,
});
