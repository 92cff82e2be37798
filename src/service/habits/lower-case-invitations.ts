import type { Choice, Habit } from "../settings/settings";

export const lowerCaseInvitations: Habit = {
  name: "lower-case-invitations",
  does: "the address of a new invitation is stored in lower case; older invitations keep their spelling, and `query`, PUT and DELETE match exactly",
  client:
    "finds the created invitation by its new spelling, and writes to that; the state keeps the declared spelling, without a difference",
  since: "planned in May 2024, after 17.0; no public source names the release",
  sources: [
    "[Issue 460708](https://gitlab.com/gitlab-org/gitlab/-/issues/460708) (the plan)",
    "[Issue 462443](https://gitlab.com/gitlab-org/gitlab/-/issues/462443) (its effects)",
  ],
  on: "by name",
};

/** The address that a new invitation is stored with. */
export const STORED_ADDRESS: Choice<(address: string) => string> = {
  habit: lowerCaseInvitations,
  off: (address) => address,
  on: (address) => address.toLowerCase(),
};
