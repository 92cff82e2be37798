import { type HttpError, notFound } from "../http/errors";
import type { Choice, Habit } from "../settings/settings";

/** The kinds of allowlist entries. */
export type EntryKind = "project" | "group";

export const unseenAllowlistEntries: Habit = {
  name: "unseen-allowlist-entries",
  does: "an allowlist also lists entries that the token can't see; removing such an entry is 404, and the entry stays",
  client:
    "reports an entry that it can't see once; reads the list after a removal, and fails the apply if the entry is still there",
  since: "no public source names the release",
  sources: [
    "`app/models/ci/job_token/allowlist.rb` (`projects` does not depend on the caller). No public source shows the removal in [gitlabhq/gitlabhq](https://github.com/gitlabhq/gitlabhq)",
  ],
  on: "observed",
};

interface UnseenEntries {
  /** Whether entries with a target that the caller may not see are hidden, and cannot be removed. */
  readonly isHidden: boolean;
  /** Returns the error for the removal of an entry whose target the caller may not see. */
  error(kind: EntryKind): HttpError;
}

/** Returns the error for a target that does not exist, or that the caller may not see. */
export const noTarget = (kind: EntryKind): HttpError =>
  notFound(kind === "project" ? "Target Project" : "Target Group");

export const UNSEEN_ENTRIES: Choice<UnseenEntries> = {
  habit: unseenAllowlistEntries,
  off: { isHidden: true, error: noTarget },
  on: {
    isHidden: false,
    error: (kind) => notFound(kind === "project" ? "Project" : "target_group_id not found"),
  },
};
