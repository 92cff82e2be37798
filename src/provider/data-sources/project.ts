import { defineDataSource } from "../definition";
import { orNothing } from "../problems";
import { ReferenceNotFound } from "../references";
import { computed, required } from "../schema";

/** One project, by its id or path. */
export const project = defineDataSource({
  type: "project",
  description: "A project, by its numeric id or its full path.",
  attributes: {
    project: required.reference("project", {
      description: "The project, by its numeric id or its full path.",
    }),
    id: computed.string({ description: "The numeric id as a string, ready to be passed on." }),
    name: computed.string({ description: "The name." }),
    path: computed.string({ description: "The last part of the full path." }),
    full_path: computed.string({ description: "The full path, such as `acme/web-shop`." }),
    web_url: computed.string({ description: "The address of the project's page." }),
    archived: computed.bool({ description: "Whether the project is archived, and so can't be changed." }),
    default_branch: computed.string({ description: "The default branch; null in an empty repository." }),
  },

  async read(api, config) {
    const name = String(config["project"]);
    const found = await orNothing(api.projects.get(name));
    if (found === undefined) throw new ReferenceNotFound("project", name, ["project"]);
    return {
      project: config["project"] ?? null,
      id: String(found.id),
      name: found.name,
      path: found.path,
      full_path: found.path_with_namespace,
      web_url: found.web_url,
      archived: found.archived,
      default_branch: found.default_branch,
    };
  },
});
