// Rules for a list that several parts of one run use at the same time.
import type { ListHistory } from "../world/list-history";
import { about, type Finding } from "../world/records";

/**
 * A read never returns a value that is older than the run's last acknowledged write or its last drop of earlier
 * results. A read returns every object that exists from that moment until the end of the read.
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

/** Two operations of a run never work on one object at the same time. */
export function operationsTakeTurns({ contested }: ListHistory): Finding {
  return contested[0] && `two operations work on ${contested[0]} at once`;
}
