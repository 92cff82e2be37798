import { whenKnown } from "../../framework";
import { computed, invalidValue, required } from "../../schema";
import { defineResource, projectAttribute } from "../define";
import { type AllowedProject, allowedProjects, allowlistsOf, toProject } from "./parts/job-token-allowlists";

const attributes = {
  project: projectAttribute("that is accessed"),
  target_project: required.reference("project", {
    description:
      "The project whose job tokens may access `project`, by its numeric id or its full path. " +
      "It must be another project: a project is always on its own allowlist.",
    replaces: true,
  }),
  target_project_id: computed.number("The numeric id of the target project."),
};

/** One project on a project's job token allowlist (specification, "Job token scope (project)"). */
export const jobTokenAllowlistProject = defineResource({
  type: "job_token_allowlist_project",
  version: 0,
  description:
    "Allows the job tokens of one project to access another. It manages this entry only; " +
    "to manage the whole allowlist, use `steward_job_token_allowlist`. Needs the Maintainer role.",
  attributes,
  container: "project",
  feature: "its job token allowlist",
  key: {
    name: "target project id",
    example: "77",
    attributes: ["target_project"],
    of: ({ target_project }) => String(target_project.id),
    label: ({ target_project }) => target_project.path ?? String(target_project.id),
  },
  isEntry: true,

  owns: {
    entries: ({ target_project }) => [{ set: allowedProjects.name, entry: String(target_project.id) }],
  },
  check: ({ target_project }, container) =>
    target_project.id === container
      ? [invalidValue(["target_project"], "A project is always on its own allowlist. Name another project.")]
      : [],

  async create(scope, { target_project }) {
    await allowlistsOf(scope).project.add(target_project.id);
    scope.collection(allowedProjects).drop();
    return { target_project, target_project_id: target_project.id };
  },

  read: ({ collection, expected }, key) =>
    whenKnown(collection(allowedProjects).get(Number(key), expected), (entry) => entry && found(entry)),

  async delete(scope, key) {
    await allowlistsOf(scope).project.remove(Number(key));
  },

  list: async ({ collection }) => [...(await collection(allowedProjects).all()).values()].map(found),
});

const found = (entry: AllowedProject) => ({
  target_project: toProject(entry),
  target_project_id: entry.id,
});
