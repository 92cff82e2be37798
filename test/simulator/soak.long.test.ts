import { buildSimulator, describeFailures, simulateSeeds } from "./simulator";

/** Other seeds than those of every run. */
const FROM = 100_000;
const RUNS = process.env["SOAK"] ? Number(process.env["SOAK_RUNS"] ?? 100_000) : 500;

it("no invariant breaks in many more random stories", async () => {
  const { failures } = await simulateSeeds(buildSimulator("soak"), FROM, RUNS);
  expect(describeFailures(failures)).toEqual([]);
}, 14_400_000);
