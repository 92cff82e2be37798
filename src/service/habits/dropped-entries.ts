import type { Habit } from "../settings/settings";

export const droppedEntries: Habit = {
  name: "dropped-entries",
  does: "the response to a new allowlist entry is 201, and the entry is not kept; the approval rules of an environment are dropped too",
  client: "reads the object after the write, and names the dropped parts",
  since: "seen in several releases and tiers",
  sources: [
    "[approval_rules in protected_environments are not working](https://github.com/gitlabform/gitlabform/issues/938)",
    "[Deployment approvals](https://docs.gitlab.com/ci/environments/deployment_approvals/) (a feature of some tiers)",
  ],
  on: "by name",
};
