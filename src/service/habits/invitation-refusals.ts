import type { Choice, Habit } from "../settings/settings";

export const invitationRefusals: Habit = {
  name: "invitation-refusals",
  does: `a second invitation of an address is refused with "The member's email address has already been taken"`,
  client: '`already_exists`, as for "Invite email has already been taken"',
  since: "no public source names the release",
  sources: [
    "`spec/frontend/invite_members/mock_data/api_responses.js` in [gitlabhq/gitlabhq](https://github.com/gitlabhq/gitlabhq); [Invitations API](https://docs.gitlab.com/api/invitations/) for the older message",
  ],
  on: "observed",
};

/** Reasons why an address or a user cannot be invited again. */
export interface InvitationRefusals {
  readonly addressInvited: string;
  readonly userInvited: string;
}

const TAKEN = "The member's email address has already been taken";

export const INVITATION_REFUSALS: Choice<InvitationRefusals> = {
  habit: invitationRefusals,
  off: {
    addressInvited: "Invite email has already been taken: this address is already invited",
    userInvited: "User is already invited",
  },
  on: { addressInvited: TAKEN, userInvited: TAKEN },
};
