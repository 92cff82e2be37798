import type { Move } from "../../framework";
import { attributesNotMoved, idsOf, numberOf, textOf } from "./source-state";

/** The whole allowlist of a project, and whether it applies. */
export const projectJobTokenScopes: Move = {
  from: "gitlab_project_job_token_scopes",
  version: 0,
  to: {
    job_token_allowlist(source) {
      // Older releases had the numeric attribute `project_id` instead of `project`.
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
          attributesNotMoved(
            `gitlab_project_job_token_scopes also declared whether the allowlist of the project ${project} is enabled ` +
              `(enabled = ${source["enabled"] === true}). The move does not change that setting on the service. To manage it, ` +
              "add a steward_job_token_scope with inbound_enabled.",
          ),
        ],
      };
    },
  },
};
