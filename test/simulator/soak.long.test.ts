import { buildSimulator, describeFailures, simulateSeeds } from "./simulator";

/** Other seeds than those of every run; `npm run soak:simulator` plays many more from here on. */
const FROM = 100_000;
const STORIES = process.env["SOAK"] ? 5_000 : 500;

it("no invariant breaks in many more random stories", async () => {
  const { failures } = await simulateSeeds(buildSimulator("soak"), FROM, STORIES);
  expect(describeFailures(failures)).toEqual([]);
}, 3_600_000);
