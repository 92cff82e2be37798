import { type Habit, hasHabit, type ServiceSettings } from "../settings/settings";
import type { Database } from "../store/database";

export const laggingReplicas: Habit = {
  name: "lagging-replicas",
  does: "the three reads after a write still see the data before it",
  client:
    "looks again, with pauses, before it believes a read that contradicts an accepted write; " +
    "keeps an object whose create is refused as existing",
  since: "always, on instances with several databases",
  sources: [
    "[DB Load balancing sticking optimistically removes all sticking when only 1 replica is caught up](https://gitlab.com/gitlab-org/gitlab/-/issues/413203)",
    "[Database Load Balancing](https://docs.gitlab.com/administration/postgresql/database_load_balancing/)",
  ],
  on: "by name",
};

/** The number of reads after a write that still see the data from before the write. */
const LAG = 3;

/** Imitates replicas of the database that lag behind: runs reads on the data from before recent writes. */
export class Replicas {
  readonly #pending: { readonly before: Database; left: number }[] = [];

  constructor(
    private readonly primary: Database,
    private readonly settings: ServiceSettings,
  ) {}

  /** Keeps a copy of the data before a write, if the habit is on. */
  willWrite(): void {
    if (hasHabit(this.settings, laggingReplicas))
      this.#pending.push({ before: this.primary.copy(), left: LAG });
  }

  /**
   * Runs a read on the oldest copy; without a copy, on the database itself. While the habit is off, reads use the
   * database itself, and existing copies stay.
   */
  read<Result>(work: (database: Database) => Result): Result {
    const [oldest] = this.#pending;
    if (oldest === undefined || !hasHabit(this.settings, laggingReplicas)) return work(this.primary);
    try {
      return work(oldest.before);
    } finally {
      for (const pending of this.#pending) pending.left -= 1;
      while (this.#pending[0]?.left === 0) this.#pending.shift()!.before.close();
    }
  }

  close(): void {
    for (const { before } of this.#pending.splice(0)) before.close();
  }
}
