import { LEVEL } from "../access/roles";
import { badRequest } from "../http/errors";
import { type Habit, hasHabit, type ServiceSettings } from "../settings/settings";

export const securityManager: Habit = {
  name: "security-manager",
  does: "access level 25 (Security Manager) is one of members, invitations and shares; switched off, it is 400 as in older releases",
  client: "accepts every level that the platform documents, and keeps unknown numbers readable",
  since: "newer than the specification; no public source names the release",
  sources: [
    "[Security Manager Default Role](https://gitlab.com/groups/gitlab-org/-/work_items/16399) (generally available), [Issue 582639](https://gitlab.com/gitlab-org/gitlab/-/issues/582639) (level 25)",
    "[client-go](https://gitlab.com/gitlab-org/api/client-go/-/merge_requests/2908), and the [Terraform provider](https://gitlab.com/gitlab-org/terraform-provider-gitlab/-/merge_requests/3124)",
  ],
  on: "always",
};

/**
 * Refuses level 25 on an instance that does not have this level.
 *
 * @throws HttpError 400
 */
export function requireKnownLevel(settings: ServiceSettings, level: number): void {
  if (level === LEVEL.securityManager && !hasHabit(settings, securityManager))
    throw badRequest("access_level does not have a valid value");
}
