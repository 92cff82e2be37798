import type { Choice, Habit } from "../settings/settings";
import { type Condition, where } from "../store/selection";

export const exactAddresses: Habit = {
  name: "exact-addresses",
  does: "invitation addresses are stored and matched by their exact text: two spellings are two pending invitations; switched off, case does not matter",
  client: "compares exact text, and writes to the spelling that the service has",
  since: "always; for newer releases see `lower-case-invitations`",
  sources: [
    '[Invitations API](https://docs.gitlab.com/api/invitations/) (`query`: "exact email match")',
    "[Issue 460708](https://gitlab.com/gitlab-org/gitlab/-/issues/460708) (both spellings are invited; May 2024)",
    "`app/models/member.rb` in [gitlabhq/gitlabhq](https://github.com/gitlabhq/gitlabhq) (`invite_email`)",
  ],
  on: "always",
};

/** The condition that finds the invitations of an address. */
export const ADDRESS_IS: Choice<(address: string) => Condition> = {
  habit: exactAddresses,
  off: (address) => where("i.email = ? COLLATE NOCASE", address),
  on: (address) => where("i.email = ?", address),
};
