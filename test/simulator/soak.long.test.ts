import { quickRules, writeRules } from "./played-rules";
import { buildSimulator, describeFailures, type Simulated, simulateSeeds } from "./simulator";
import { representatives } from "./story/representatives";

/**
 * The first seed of the long tests, after all seeds that `npm test` plays. `npm run soak:simulator` plays many more
 * seeds, from this seed on.
 */
const FROM = 100_000;
const STORIES = process.env["SOAK"] ? 5_000 : 24;
/** The number of stories for each rule. The stories of a rule differ only in a kind of object, a moment or a fault. */
const OF_EACH_RULE = process.env["SOAK"] ? Number.POSITIVE_INFINITY : 2;

let played: Simulated & Awaited<ReturnType<typeof simulateSeeds>>;

beforeAll(async () => {
  const program = buildSimulator("soak");
  const rules = writeRules("soak", representatives(OF_EACH_RULE, quickRules()));
  played = await simulateSeeds(
    program,
    [[FROM, STORIES]],
    [
      ["--rules", rules, "--holding", "1/2"],
      ["--rules", rules, "--holding", "2/2"],
    ],
  );
}, 3_600_000);

it("random sequences of edits, runs and faults that npm test does not play break no invariant", () => {
  expect(describeFailures(played.failures)).toEqual([]);
});

it("each example sequence in the rules of the simulator passes", () => {
  expect(played.broken).toEqual([]);
});
