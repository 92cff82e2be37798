import { type Habit, hasHabit, type ServiceSettings } from "../settings/settings";
import type { Database } from "../store/database";

export const shiftingLists: Habit = {
  name: "shifting-lists",
  does: "in every second reading of a list, the pages after the first begin one entry late; lists have no totals",
  client: "reads a missing object by itself, or the list again, before the object counts as gone",
  since: "always",
  sources: [
    "[REST API: offset-based pagination](https://docs.gitlab.com/api/rest/#offset-based-pagination)",
    "[API: Keyset Pagination](https://gitlab.com/groups/gitlab-org/-/epics/2039)",
  ],
  on: "by name",
};

/** The number of times that a client began to read a list, by the path of the list. */
const READINGS = new WeakMap<Database, Map<string, number>>();

/**
 * Returns the number of entries by which a page begins late: 0 or 1. The value 1 imitates a client that deletes an
 * entry between the reads of two pages.
 */
export function shiftOf(settings: ServiceSettings, database: Database, list: string, page: number): number {
  if (!hasHabit(settings, shiftingLists)) return 0;
  const readings = READINGS.get(database) ?? new Map<string, number>();
  READINGS.set(database, readings);
  const begun = (readings.get(list) ?? 0) + (page === 1 ? 1 : 0);
  readings.set(list, begun);
  return page > 1 && begun % 2 === 1 ? 1 : 0;
}
