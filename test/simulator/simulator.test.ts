import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hintsOf } from "../../scripts/mutants/table";
import recorded from "./actors/terraform-calls.golden.json";
import { buildSimulator, describeFailures, simulateSeeds } from "./simulator";

/** Stories of every run; the soak plays more. */
const RUNS = 250;

/** Where the program finds which stories that explain a rule it plays. */
const RULES = path.join(__dirname, "..", "..", "dist", "simulator", "quick.json");

/** The rules whose stories find a planted fault; `soak.long.test.ts` plays all. */
function writeRules(): void {
  const page = readFileSync(path.join(__dirname, "..", "..", "docs", "mutants.md"), "utf8");
  writeFileSync(RULES, JSON.stringify([...new Set(hintsOf(page).values())]));
}

let played: Awaited<ReturnType<typeof simulateSeeds>>;

beforeAll(async () => {
  const program = buildSimulator("quick");
  writeRules();
  played = await simulateSeeds(program, 1, RUNS, [
    ["--calls", "--rules", RULES, "--holding", "1/2"],
    ["--rules", RULES, "--holding", "2/2"],
  ]);
}, 900_000);

it("no invariant breaks in random stories", () => {
  expect(describeFailures(played.failures)).toEqual([]);
});

it("the stories that find a planted fault hold without it", () => {
  expect(played.broken).toEqual([]);
});

it("the model of Terraform calls the provider in the order that the real program was recorded with", () => {
  expect(played.calls).toEqual(recorded);
});
