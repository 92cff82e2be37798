import { type HttpError, refused } from "../http/errors";
import type { Choice, Habit } from "../settings/settings";
import { type EntryKind, noTarget } from "./unseen-allowlist-entries";

export const allowlistRefusals: Habit = {
  name: "allowlist-refusals",
  does: 'removing a missing allowlist entry is 400 "Target project is not in the job token scope", where the specification settles 404',
  client: "counts the entry as removed",
  since: "unknown",
  sources: [
    "`app/services/ci/job_token_scope/remove_project_service.rb` and `remove_group_service.rb` in [gitlab-org/gitlab](https://gitlab.com/gitlab-org/gitlab)",
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
