// Rules for parts of one run that use one list at the same time.
import type { ListHistory } from "../world/list-history";
import { about, type Finding } from "../world/records";

/**
 * A reader gets a value of the time of its read, or a value since the run's last acknowledged write, or since the
 * last drop. It gets nothing older, and every object that exists all the time.
 */
export function readsAreCurrent(history: ListHistory): Finding {
  for (const shown of history.shown)
    for (const [key, content] of shown.records) {
      const allowed = history.allowed(key, shown);
      if (allowed.has(content)) continue;
      const might = [...allowed].map((one) => one ?? "absent").join(" or ");
      return about(key, `${shown.what} shows ${key} as ${content ?? "absent"}, which is ${might}`);
    }
  return undefined;
}

/** Operations on one object are done one after the other. */
export function operationsTakeTurns({ contested }: ListHistory): Finding {
  return contested[0] && `two operations work on ${contested[0]} at once`;
}
