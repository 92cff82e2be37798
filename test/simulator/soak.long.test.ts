import { buildSimulator, describeFailures, type Simulated, simulateSeeds } from "./simulator";

/** Other seeds than those of every run; `npm run soak:simulator` plays many more from here on. */
const FROM = 100_000;
const STORIES = process.env["SOAK"] ? 5_000 : 100;

let played: Simulated & Awaited<ReturnType<typeof simulateSeeds>>;

beforeAll(async () => {
  const program = buildSimulator("soak");
  played = await simulateSeeds(
    program,
    [[FROM, STORIES]],
    [
      ["--holding", "1/2"],
      ["--holding", "2/2"],
    ],
  );
}, 3_600_000);

it("no invariant breaks in other random stories", () => {
  expect(describeFailures(played.failures)).toEqual([]);
});

it("the stories that explain a rule hold", () => {
  expect(played.broken).toEqual([]);
});
