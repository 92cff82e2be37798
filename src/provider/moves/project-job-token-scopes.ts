import type { Move } from "../../framework";
import { idsOf, leftBehind, numberOf, textOf } from "./source-state";

/** The whole allowlist of a project, and whether it applies. */
export const projectJobTokenScopes: Move = {
  from: "gitlab_project_job_token_scopes",
  version: 0,
  to: {
    job_token_allowlist(source) {
      // A project could be given by number in an attribute of its own, before there was `project`.
      const project = source["project"]
        ? textOf(source, "project")
        : String(numberOf(source, "project_id") ?? textOf(source, "id"));
      return {
        attributes: {
          id: project,
          project,
          target_projects: idsOf(source, "target_project_ids"),
          target_groups: idsOf(source, "target_group_ids"),
        },
        warnings: [
          leftBehind(
            `gitlab_project_job_token_scopes also said of the project ${project} whether its allowlist applies at all ` +
              `(enabled = ${source["enabled"] === true}). That stays as it is on the service. To go on declaring it, add a ` +
              "steward_job_token_scope with inbound_enabled.",
          ),
        ],
      };
    },
  },
};
