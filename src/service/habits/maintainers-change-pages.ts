import { LEVEL } from "../access/roles";
import type { Choice, Habit } from "../settings/settings";

export const maintainersChangePages: Habit = {
  name: "maintainers-change-pages",
  does: "a Maintainer changes and unpublishes Pages, which the specification leaves to administrators",
  client: "sends the change; the error of a 403 names the role that the specification requires",
  since: "after 17.6, whose documentation still requires an administrator",
  sources: [
    '[Pages API](https://docs.gitlab.com/api/pages/) ("You must have at least the Maintainer role")',
    "[The same page of 17.6](https://sources.debian.org/src/gitlab/17.6.5-19/doc/api/pages.md) (administrators)",
    "[Update Pages permissions checks](https://gitlab.com/gitlab-org/gitlab/-/merge_requests/172950)",
    "[Issue 498658](https://gitlab.com/gitlab-org/gitlab/-/issues/498658)",
  ],
  on: "observed",
};

/** The lowest role that can change and remove Pages. */
export const PAGES_CHANGED_FROM: Choice<number> = {
  habit: maintainersChangePages,
  off: LEVEL.administrator,
  on: LEVEL.maintainer,
};
