import { buildSimulator, simulate } from "./simulator";

/** Steps in which either runner may go on, and calls at which the first runner may die; the soak walks further. */
const [STEPS, CRASHES] = process.env["SOAK"] ? [9, 30] : [6, 8];

it("no invariant fails in any order of steps of two runners and a crash of one runner", async () => {
  const { walk } = await simulate(buildSimulator("exhaustive"), ["--walk", `${STEPS}+${CRASHES}`]);
  expect(walk!.failures).toEqual([]);
  // At each point both went on.
  expect(walk!.ways).toBeGreaterThanOrEqual(2 * 2 ** STEPS);
}, 1_200_000);
