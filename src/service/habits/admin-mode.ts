import type { Habit } from "../settings/settings";

export const adminMode: Habit = {
  name: "admin-mode",
  does: "an administrator's token without the scope `admin_mode` is a plain user's, although `GET /user` says `is_admin: true` (application setting `admin_mode`)",
  client:
    "believes a 404 only if a read for administrators succeeds in the same run; otherwise the state keeps the object",
  since: "15.8",
  sources: [
    "[Admin Mode: add `admin_mode` scope for PATs](https://gitlab.com/gitlab-org/gitlab/-/merge_requests/107875), [Implement Admin Mode for API](https://gitlab.com/gitlab-org/gitlab/-/merge_requests/107925) (January 2023)",
    "[Access token scopes](https://docs.gitlab.com/security/tokens/access_token_scopes/) (`admin_mode`)",
    "[Sign-in restrictions: Admin Mode](https://docs.gitlab.com/administration/settings/sign_in_restrictions/#admin-mode)",
  ],
  on: "by name",
};
