import { computed, invalidValue, required } from "../../schema";
import { defineResource, projectAttribute } from "../define";
import { allowedProjects, allowlistEntry, toProject } from "./parts/job-token-allowlists";

const attributes = {
  project: projectAttribute("to which the allowlist belongs"),
  target_project: required.reference("project", {
    description:
      "The project whose job tokens may access `project`, by its numeric id or its full path. " +
      "The target must be another project, because a project is always on its own allowlist.",
    replaces: true,
  }),
  target_project_id: computed.number("The numeric id of the target project."),
};

/** One project on a project's job token allowlist (specification, "Job token scope (project)"). */
export const jobTokenAllowlistProject = defineResource({
  type: "job_token_allowlist_project",
  description:
    "Allows the job tokens of one project to access another. This resource manages only this entry. To manage the " +
    "whole allowlist, use `steward_job_token_allowlist`. The token's user needs the Maintainer role.",
  attributes,
  ...allowlistEntry("project", allowedProjects, toProject, "77"),
  check: ({ target_project }, container) =>
    target_project.id === container
      ? [invalidValue(["target_project"], "A project is always on its own allowlist. Name another project.")]
      : [],
});
