// Stories about runs that die, disks that fail, and two runners in a chosen order. These stories break a rule if
// Steward saves a state, a journal or a lock too late.
import { each, forEach, type Rules, TWO } from "./rules";

const around = (steps: number): readonly number[] => [steps - 1, steps, steps + 1];

/**
 * Two runners find the lock of a dead runner. The first runner takes the lock over while the second runner is about to
 * do the same.
 */
const TAKEN_OVER =
  "declare one environment; apply: dies after write 1; declare two environment staging; " +
  "both apply and 0 ms later apply: --lock-timeout 60000ms, in turns second:BEFORE first:FIRST";

export const DEATHS: Rules = {
  ...forEach(
    [
      { KEEPING: "file", NTH: 5 },
      { KEEPING: "service", NTH: 9 },
    ],
    {
      "an object that a dead run recorded as done is its own after any manual change (states in KEEPING)":
        "states in KEEPING; declare first environment in api; apply; declare one environment; " +
        "declare two list with 15; apply: dies after write NTH; hand change environment with 3; apply",
    },
  ),
  ...forEach(
    [10, 13, 15].map((nth) => ({ NTH: nth, LAST: nth + 1 })),
    {
      "a disk that is full for two writes from write NTH on, when the state is saved, fails the run":
        "declare one environment; apply; declare two environment staging; apply: disk NTH-LAST: full",
    },
  ),
  "a move of all declarations takes objects with another address there, and leaves objects at its addresses":
    "stacks a b; declare one environment; declare other environment in api; " +
    "declare taken environment staging in stack b; apply; rename one renamed; restack renamed b; drop other; " +
    "drop taken; declare taken environment in api in stack b; move declared from a to b; drop taken",
  ...each("CALL", [1, 23], {
    "the next run removes the remains of lock attempts after a power failure at call CALL":
      "declare one environment; apply; apply: the power fails at CALL; apply",
  }),
  "a lock that a power failure restores after the run is not the fault of this run":
    "apply; apply; both apply and 87 ms later apply: the power fails at 5",
  ...each("LATER", [0, 10, 20, 30, 40], {
    "one of two runners that find the lock of a dead runner, LATER ms apart, takes it over":
      `${TWO}; apply: dies after write 1; ` +
      "both apply: --lock-timeout 60000ms and LATER ms later apply: --lock-timeout 60000ms",
  }),
  ...each(
    "BEFORE",
    around(12),
    each("FIRST", around(31), {
      "a takeover of a dead runner's lock reads the holder again (BEFORE, FIRST and 20 steps)": `${TAKEN_OVER} second:20 first:1`,
    }),
  ),
  ...each(
    "BEFORE",
    around(27),
    each("FIRST", around(36), {
      "a takeover of a dead runner's lock has a guard (BEFORE, FIRST and 10 steps)": `${TAKEN_OVER} second:10 first:1`,
    }),
  ),
};
