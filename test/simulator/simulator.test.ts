import recorded from "./actors/terraform-calls.json";
import { KNOWN_FAULTS } from "./known-faults/known-faults";
import { buildSimulator, describeFailures, type Simulated, simulateSeeds } from "./simulator";

/** Stories of every run; the soak plays more. */
const RUNS = 250;

let played: Awaited<ReturnType<typeof simulateSeeds>>;

beforeAll(async () => {
  played = await simulateSeeds(buildSimulator("quick"), 1, RUNS, [
    ["--known", "--calls", "--holding", "1/2"],
    ["--holding", "2/2"],
  ]);
}, 900_000);

it("no invariant breaks in random stories", () => {
  expect(describeFailures(played.failures)).toEqual([]);
});

it("the stories that explain a rule hold", () => {
  expect(played.broken).toEqual([]);
});

it("the model of Terraform calls the provider in the order that the real program was recorded with", () => {
  expect(played.calls).toEqual(recorded);
});

// A fault that is not found any more is fixed: its row goes, and random stories look for it from then on.
it("the simulator still finds each known fault", () => {
  const { knownFaults = [] }: Simulated = played;
  const found = knownFaults.map(({ name, found }) => ({ name, ...found }));
  expect(found).toMatchObject(KNOWN_FAULTS.map(({ name, invariant }) => ({ name, invariant, known: name })));
});
