import { buildSimulator, simulate } from "./simulator";

/**
 * `STEPS` is the number of points at which either runner may continue. `CRASHES` is the number of calls at which the
 * first runner may die. The soak uses larger numbers.
 */
const [STEPS, CRASHES] = process.env["SOAK"] ? [9, 30] : [6, 8];

it("if two runs work at the same time, each order of their steps keeps all invariants, even with a crash", async () => {
  const { walk } = await simulate(buildSimulator("exhaustive"), ["--walk", `${STEPS}+${CRASHES}`]);
  expect(walk!.failures).toEqual([]);
  // Each of the two stories has 2 ** STEPS orders: at each point, either runner continued.
  expect(walk!.ways).toBeGreaterThanOrEqual(2 * 2 ** STEPS);
}, 1_200_000);
