import type { Habit } from "../settings/settings";

export const scheduledDeletion: Habit = {
  name: "scheduled-deletion",
  does: "a deleted project stays readable for 7 days: `marked_for_deletion_on` is set, its path becomes `NAME-deletion_scheduled-ID`, and the old path is free (application setting `deletion_adjourned_period`)",
  client: "says that the deletion is scheduled, and compares the ids behind a path in each run",
  since: "16.0 by default in the paid tiers, 18.0 in all; the suffix in 2025",
  sources: [
    "[Delayed deletion](https://about.gitlab.com/blog/2023/04/03/delayed-deletion/) (16.0, and the earlier suffix)",
    "[Down-tier delayed deletion to core](https://gitlab.com/groups/gitlab-org/-/epics/17208) (all tiers)",
    "[Issue 526081](https://gitlab.com/gitlab-org/gitlab/-/issues/526081)",
    "[Merge request 116957](https://gitlab.com/gitlab-org/gitlab/-/merge_requests/116957)",
    "[Projects API: delete a project](https://docs.gitlab.com/api/projects/#delete-a-project)",
  ],
  on: "by name",
};
