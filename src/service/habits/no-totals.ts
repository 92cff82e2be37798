import type { Choice, Habit } from "../settings/settings";

export const noTotals: Habit = {
  name: "no-totals",
  does: "no list has `X-Total` and `X-Total-Pages`",
  client: "follows the links",
  since: "always, for lists above 10,000 records; no public source names the release for shorter lists",
  sources: [
    "[REST API: pagination response headers](https://docs.gitlab.com/api/rest/#pagination-response-headers) for more than 10,000 records; `lib/gitlab/pagination/offset_pagination.rb` (`without_count`, `exclude_total_headers`) in [gitlabhq/gitlabhq](https://github.com/gitlabhq/gitlabhq) for shorter lists",
  ],
  on: "observed",
};

/** The maximum size of a list with total headers (specification, Limits). 0 means that no list has total headers. */
export const COUNTED_RECORDS: Choice<number> = { habit: noTotals, off: 10_000, on: 0 };
