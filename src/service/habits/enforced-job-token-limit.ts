import type { Habit } from "../settings/settings";

export const enforcedJobTokenLimit: Habit = {
  name: "enforced-job-token-limit",
  does: "every project limits access by job tokens: `inbound_enabled` is true, and a change to false is 400 (application setting `enforce_ci_inbound_job_token_scope_enabled`)",
  client:
    "warns at plan that a declared `false` can't hold, where the token may read the settings; otherwise explains the 400",
  since: "unknown",
  sources: [
    "[Continuous integration settings: job token permissions](https://docs.gitlab.com/administration/settings/continuous_integration/#job-token-permissions)",
  ],
  on: "by name",
};
