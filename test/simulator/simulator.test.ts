import { KNOWN_FAULTS } from "./known-faults/known-faults";
import { buildSimulator, describeFailures, type Found, simulate, simulateSeeds } from "./simulator";

/** Stories of every run; the soak plays more. */
const RUNS = 250;

let program: string;

beforeAll(() => {
  program = buildSimulator("quick");
});

it("no invariant breaks in random stories", async () => {
  expect(describeFailures(await simulateSeeds(program, 1, RUNS))).toEqual([]);
}, 300_000);

it("the stories that explain a rule hold", async () => {
  const { broken } = await simulate(program, ["--holding"]);
  expect(broken).toEqual([]);
}, 300_000);

// A fault that is not found any more is fixed: its row goes, and random stories look for it from then on.
describe("the known faults", () => {
  let found: ReadonlyMap<string, Found | undefined>;

  beforeAll(async () => {
    const { faults = [] } = await simulate(program, ["--known"]);
    found = new Map(faults.map((one) => [one.name, one.found]));
  }, 300_000);

  it.each(KNOWN_FAULTS)("the simulator still finds: $name", ({ name, invariant }) => {
    expect(found.get(name)).toMatchObject({ invariant, known: name });
  });
});
