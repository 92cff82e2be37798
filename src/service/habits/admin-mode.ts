import type { Habit } from "../settings/settings";

export const adminMode: Habit = {
  name: "admin-mode",
  does: "an administrator's token without the scope `admin_mode` is a plain user's, although `GET /user` says `is_admin: true` (application setting `admin_mode`)",
  client:
    "believes a 404 only if a read for administrators succeeds in the same run; otherwise the state keeps the object",
  since: "15.8",
  sources: [
    "[Access token scopes](https://docs.gitlab.com/security/tokens/access_token_scopes/) (`admin_mode`)",
    "[Sign-in restrictions: Admin Mode](https://docs.gitlab.com/administration/settings/sign_in_restrictions/#admin-mode)",
  ],
  on: "by name",
};
