// Behaviour of the live platform that differs from the specification; `--compat` and `--habit` select it.

import type { CompatMode, Habit } from "../settings/settings";
import { adminMode } from "./admin-mode";
import { allowlistRefusals } from "./allowlist-refusals";
import { droppedEntries } from "./dropped-entries";
import { enforcedJobTokenLimit } from "./enforced-job-token-limit";
import { exactAddresses } from "./exact-addresses";
import { expiryDates } from "./expiry-dates";
import { htmlNotFound } from "./html-not-found";
import { invitationRefusals } from "./invitation-refusals";
import { laggingReplicas } from "./lagging-replicas";
import { lowerCaseInvitations } from "./lower-case-invitations";
import { maintainersChangePages } from "./maintainers-change-pages";
import { noTotals } from "./no-totals";
import { oddRefusals } from "./odd-refusals";
import { primaryDomainUrls } from "./primary-domain-urls";
import { publicTemplateWord } from "./public-template-word";
import { refusedMovedWrites } from "./refused-moved-writes";
import { scheduledDeletion } from "./scheduled-deletion";
import { securityManager } from "./security-manager";
import { shiftingLists } from "./shifting-lists";
import { shortInvitationUpdates } from "./short-invitation-updates";
import { signInPage } from "./sign-in-page";
import { unseenAllowlistEntries } from "./unseen-allowlist-entries";

/** All habits of the live platform that this service can imitate, in the order of docs/live-platform.md. */
export const HABITS: readonly Habit[] = [
  exactAddresses,
  securityManager,
  unseenAllowlistEntries,
  allowlistRefusals,
  invitationRefusals,
  expiryDates,
  shortInvitationUpdates,
  noTotals,
  refusedMovedWrites,
  maintainersChangePages,
  primaryDomainUrls,
  publicTemplateWord,
  lowerCaseInvitations,
  adminMode,
  scheduledDeletion,
  enforcedJobTokenLimit,
  shiftingLists,
  laggingReplicas,
  signInPage,
  htmlNotFound,
  droppedEntries,
  oddRefusals,
];

/**
 * The habits of the live platform that an instance imitates: a mode, and single habits that are switched on or off.
 */
export interface HabitOptions {
  readonly compat?: CompatMode | undefined;
  readonly habits?: readonly string[] | undefined;
  readonly withoutHabits?: readonly string[] | undefined;
}

/** Returns the names of the active habits. @throws Error for an unknown name. */
export function chooseHabits({
  compat = "strict",
  habits = [],
  withoutHabits = [],
}: HabitOptions): Set<string> {
  for (const name of [...habits, ...withoutHabits])
    if (HABITS.every((habit) => habit.name !== name))
      throw new Error(
        `There is no habit "${name}". Habits are: ${HABITS.map((habit) => habit.name).join(", ")}.`,
      );
  const usual = HABITS.filter(({ on }) => on === "always" || on === compat).map(({ name }) => name);
  return new Set([...usual, ...habits].filter((name) => !withoutHabits.includes(name)));
}
