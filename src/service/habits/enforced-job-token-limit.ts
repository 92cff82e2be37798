import type { Habit } from "../settings/settings";

export const enforcedJobTokenLimit: Habit = {
  name: "enforced-job-token-limit",
  does: "every project limits access by job tokens: `inbound_enabled` is true, and a change to false is 400 (application setting `enforce_ci_inbound_job_token_scope_enabled`)",
  client:
    "warns at plan that a declared `false` can't hold, where the token may read the settings; otherwise explains the 400",
  since: "18.0 by default; the setting is of 2024",
  sources: [
    "[Merge request 166952](https://gitlab.com/gitlab-org/gitlab/-/merge_requests/166952) (on by default in 18.0)",
    "[Merge request 170232](https://gitlab.com/gitlab-org/gitlab/-/merge_requests/170232)",
    "[Continuous integration settings: job token permissions](https://docs.gitlab.com/administration/settings/continuous_integration/#job-token-permissions)",
  ],
  on: "by name",
};
