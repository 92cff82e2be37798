import { type HttpError, refused } from "../http/errors";
import type { Choice, Habit } from "../settings/settings";
import { type EntryKind, noTarget } from "./unseen-allowlist-entries";

export const allowlistRefusals: Habit = {
  name: "allowlist-refusals",
  does: 'removing a missing allowlist entry is 400 "Target project is not in the job token scope", where the specification settles 404',
  client: "counts the entry as removed",
  since: "no public source names the release",
  sources: [
    "`app/services/ci/job_token_scope/remove_project_service.rb` in [gitlabhq/gitlabhq](https://github.com/gitlabhq/gitlabhq) (`TARGET_NOT_IN_SCOPE`, `SOURCE_CANNOT_BE_REMOVED`)",
  ],
  on: "observed",
};

interface Refusals {
  missing(kind: EntryKind): HttpError;
  readonly alreadyThere: string;
  readonly ownEntry: string;
}

export const ALLOWLIST_REFUSALS: Choice<Refusals> = {
  habit: allowlistRefusals,
  off: {
    missing: noTarget,
    alreadyThere: "is already in the job token scope allowlist",
    ownEntry: "A project cannot be removed from its own job token scope allowlist",
  },
  on: {
    missing: (kind) => refused(400, `400 Bad request - Target ${kind} is not in the job token scope`),
    alreadyThere: "is already in the job token scope",
    ownEntry: "400 Bad request - Source project cannot be removed from the job token scope",
  },
};
