// What holds where the parts of one run use one list side by side.
import type { ListHistory } from "../world/list-history";
import { about, type Finding } from "../world/records";

/**
 * A reader is shown what is there while it reads, or was there since the run's last write of it that was answered, or since the
 * last drop: nothing older, and what is there all the time.
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
