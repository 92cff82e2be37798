import type { Choice, Habit } from "../settings/settings";

export const shortInvitationUpdates: Habit = {
  name: "short-invitation-updates",
  does: "the response to a changed invitation contains only `access_level` and `expires_at`",
  client: "takes the level and expiry from the response and all other values from the last read",
  since: "no public source names the release",
  sources: [
    '[Invitations API](https://docs.gitlab.com/api/invitations/) ("Update an invitation", example response)',
  ],
  on: "observed",
};

interface Changed {
  readonly access_level: number;
  readonly expires_at: string | null;
}

/** The response to an update of an invitation. The OpenAPI document describes only the complete response. */
export const CHANGED_INVITATION: Choice<<Shown extends Changed>(changed: Shown) => Shown> = {
  habit: shortInvitationUpdates,
  off: (changed) => changed,
  on: ({ access_level, expires_at }) => ({ access_level, expires_at }) as never,
};
