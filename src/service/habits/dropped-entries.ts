import type { Habit } from "../settings/settings";

export const droppedEntries: Habit = {
  name: "dropped-entries",
  does: "the approval rules of an environment are accepted, and are not kept",
  client: "reads the object after the write, and names the dropped parts",
  since: "seen with 17.7, for rules of groups",
  sources: [
    "[approval_rules in protected_environments are not working](https://github.com/gitlabform/gitlabform/issues/938)",
    "[Deployment approvals](https://docs.gitlab.com/ci/environments/deployment_approvals/) (a feature of some tiers)",
  ],
  on: "by name",
};
