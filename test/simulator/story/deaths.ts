// Stories of dying runs, failing disks, and two runners in a chosen order: they show the place of each save.
import { each, forEach, type Rules, TWO } from "./rules";

const around = (steps: number): readonly number[] => [steps - 1, steps, steps + 1];

/** Two runners find the lock of a dead runner: the first runner takes it over while the second runner is about to. */
const TAKEN_OVER =
  "declare one environment; apply: dies after write 1; declare two environment staging; " +
  "both apply and 0 ms later apply: waits 60000 ms, in turns second:BEFORE first:FIRST";

export const DEATHS: Rules = {
  ...forEach(
    [
      { KEEPING: "file", NTH: 5 },
      { KEEPING: "service", NTH: 9 },
    ],
    {
      "what a run that died had recorded as done is its own, whoever changes it meanwhile (states in KEEPING)":
        "states in KEEPING; declare first environment in api; apply; declare one environment; " +
        "declare two list with 15; apply: dies after write NTH; by hand change environment with 3; apply",
    },
  ),
  ...forEach(
    [10, 13, 15].map((nth) => ({ NTH: nth, LAST: nth + 1 })),
    {
      "a disk that is full for two writes from write NTH on, when the state is saved, fails the run":
        "declare one environment; apply; declare two environment staging; apply: disk NTH-LAST: full",
    },
  ),
  "a move of all that a stack declares takes what has another address there, and leaves what its addresses hold":
    "stacks a b; declare one environment; declare other environment in api; " +
    "declare taken environment staging in stack b; apply; rename one renamed; restack renamed b; drop other; " +
    "drop taken; declare taken environment in api in stack b; move declared from a to b; drop taken",
  ...each("CALL", [1, 23], {
    "what a power failure at call CALL leaves of attempts to lock is removed by the next run":
      "declare one environment; apply; apply: the power fails at CALL; apply",
  }),
  "a run did not keep what a power failure brings back once it ended":
    "apply; apply; both apply and 87 ms later apply: the power fails at 5",
  ...each("LATER", [0, 10, 20, 30, 40], {
    "of two runners that find the lock of a dead one, LATER ms apart, one takes it over":
      `${TWO}; apply: dies after write 1; ` +
      "both apply: waits 60000 ms and LATER ms later apply: waits 60000 ms",
  }),
  ...each(
    "BEFORE",
    around(12),
    each("FIRST", around(31), {
      "who takes over a dead runner's lock looks again who holds it (BEFORE, FIRST and 20 steps)": `${TAKEN_OVER} second:20 first:1`,
    }),
  ),
  ...each(
    "BEFORE",
    around(27),
    each("FIRST", around(36), {
      "who takes over a dead runner's lock guards it (BEFORE, FIRST and 10 steps)": `${TAKEN_OVER} second:10 first:1`,
    }),
  ),
};
