import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hintsOf } from "../../scripts/mutants/table";
import recorded from "./actors/terraform-calls.golden.json";
import { buildSimulator, describeFailures, type Seeds, simulateSeeds } from "./simulator";
import { FLEETS } from "./story/fleet-rules";
import { FLEETS_FROM } from "./story/fleets";
import { HABITS_FROM } from "./story/habits";

/** Stories of every run; the soak plays more. */
const RUNS = 190;

/** Stories under one or two habits of the live platform. */
const HABIT_RUNS = 60;

/** The file that lists the rules whose stories the program plays. */
const RULES = path.join(__dirname, "..", "..", "dist", "simulator", "quick.json");

/** The rules whose stories find a planted fault, and the rules of fleets; `soak.long.test.ts` plays all. */
function writeRules(): void {
  const page = readFileSync(path.join(__dirname, "mutants.md"), "utf8");
  writeFileSync(RULES, JSON.stringify([...new Set(hintsOf(page).values()), ...Object.keys(FLEETS)]));
}

/** Stories about fleets, partial runs and lists of several stacks. */
const FLEET_RUNS = 24;

let played: Awaited<ReturnType<typeof simulateSeeds>>;

beforeAll(async () => {
  const program = buildSimulator("quick");
  writeRules();
  const seeds: readonly Seeds[] = [
    [1, RUNS],
    [FLEETS_FROM + 1, FLEET_RUNS],
    [HABITS_FROM + 1, HABIT_RUNS],
  ];
  played = await simulateSeeds(program, seeds, [
    ["--calls", "--rules", RULES, "--holding", "1/2"],
    ["--rules", RULES, "--holding", "2/2"],
  ]);
}, 900_000);

it("no invariant breaks in random stories, also about fleets, partial runs and habits of the platform", () => {
  expect(describeFailures(played.failures)).toEqual([]);
});

it("the stories of fleets, and the stories that find a planted fault, hold", () => {
  expect(played.broken).toEqual([]);
});

it("the model of Terraform calls the provider in the order that the real program was recorded with", () => {
  expect(played.calls).toEqual(recorded);
});
