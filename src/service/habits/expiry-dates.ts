import type { Choice, Habit } from "../settings/settings";

export const expiryDates: Habit = {
  name: "expiry-dates",
  does: "the expiry of an invitation is a date (`2026-12-31`) where the documentation shows a timestamp",
  client: "accepts both",
  since: "always: reported in 2019",
  sources: [
    "[Allow to set a date and exact time in expires_at parameter](https://gitlab.com/gitlab-org/gitlab/-/issues/27138)",
    "[Bug with expires_at date in 'Add a member to project' (API)](https://gitlab.com/gitlab-org/gitlab/-/issues/27081)",
  ],
  on: "observed",
};

/** Formats an expiry, which is stored as a timestamp. */
export const EXPIRY: Choice<(timestamp: string) => string> = {
  habit: expiryDates,
  off: (timestamp) => timestamp,
  on: (timestamp) => timestamp.slice(0, 10),
};
