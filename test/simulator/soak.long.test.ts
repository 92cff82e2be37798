import { writeFileSync } from "node:fs";
import { buildSimulator, describeFailures, simulateSeeds } from "./simulator";
import { addUp, NOTHING, summaryOf } from "./soak";

/** Other seeds than those of every run. */
const FROM = 100_000;
const STORIES = process.env["SOAK"] ? Number(process.env["SOAK_STORIES"] ?? 100_000) : 500;
/** Stories of one round, after which the summary is written. */
const ROUND = 500;

it("no invariant breaks in many more random stories", async () => {
  const program = buildSimulator("soak");
  const file = process.env["SOAK_SUMMARY"];
  let found = NOTHING;
  for (let seed = FROM; seed < FROM + STORIES; seed += ROUND) {
    const count = Math.min(ROUND, FROM + STORIES - seed);
    found = addUp(found, await simulateSeeds(program, seed, count));
    if (file !== undefined) writeFileSync(file, summaryOf(FROM, seed + count - FROM, found));
  }
  expect(describeFailures(found.failures)).toEqual([]);
}, 14_400_000);
