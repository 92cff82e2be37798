import type { Choice, Habit } from "../settings/settings";
import { type Condition, where } from "../store/selection";

export const exactAddresses: Habit = {
  name: "exact-addresses",
  does: "invitation addresses are stored and matched by their exact text: two spellings are two pending invitations; switched off, case does not matter",
  client: "compares exact text, and writes to the spelling that the service has",
  since: "unknown",
  sources: [
    '[Invitations API](https://docs.gitlab.com/api/invitations/) (`query`: "exact email match")',
    "`app/models/member.rb` in [gitlab-org/gitlab](https://gitlab.com/gitlab-org/gitlab) (`validates :invite_email`, whose uniqueness is by exact text)",
  ],
  on: "always",
};

/** Matches the address of an invitation. */
export const ADDRESS_IS: Choice<(address: string) => Condition> = {
  habit: exactAddresses,
  off: (address) => where("i.email = ? COLLATE NOCASE", address),
  on: (address) => where("i.email = ?", address),
};
