import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runs } from "../support/capabilities";
import { inFewLines } from "../support/few-lines";
import { type Coverage, counts, failsWithout, measure, type Outcomes } from "./coverage";
import { nameOf, specifiedParts } from "./fields";
import { Laboratory } from "./laboratory";
import { SCENARIOS } from "./scenarios";

/**
 * The tests prove for every endpoint, parameter and field of the specification: at least one scenario fails without it.
 * To test a part, the wire removes it from the service's response, or from the client's request. `coverage.golden.json`
 * lists these scenarios for each part (a row), and docs/specification.md shows them. `outcomes.golden.json` has the
 * expected results. `npm run specification` measures coverage and outcomes again. `npm run test:long` checks each row
 * with its first test, and `npm run soak` with all of them.
 */
const at = (name: string) => path.join(__dirname, `${name}.golden.json`);
const load = <T>(name: string): T => JSON.parse(readFileSync(at(name), "utf8")) as T;
const isToBeWritten = process.env["STEWARD_WRITE_SPECIFICATION"] === "1";
const isWhole = isToBeWritten || runs(0, 1) === 1;

const parts = specifiedParts();
const scenarioOf = new Map(SCENARIOS.map((scenario) => [scenario.name, scenario]));

let laboratory: Laboratory;
beforeAll(async () => {
  laboratory = await Laboratory.open(parts);
});
afterAll(() => laboratory.close());

/** Checks every row with its first scenario. */
async function holdRows(): Promise<void> {
  const coverage = load<Coverage>("coverage");
  const outcomes = load<Outcomes>("outcomes");
  const seen = new Set<string>();
  for (const part of parts) {
    const [name = ""] = coverage[nameOf(part)]!;
    const scenario = scenarioOf.get(name)!;
    const expected = JSON.stringify(outcomes[name], undefined, 1);
    if (!seen.has(name)) {
      expect({ name, ...(await laboratory.run(scenario)) }).toMatchObject({ name, outcome: expected });
    }
    seen.add(name);
    const fails = await failsWithout(laboratory, part, scenario, expected);
    expect({ name, without: nameOf(part), fails }).toEqual({ name, without: nameOf(part), fails: true });
  }
}

async function holdAll(): Promise<void> {
  const { outcomes, coverage } = await measure(laboratory, parts, SCENARIOS);
  if (isToBeWritten) {
    writeFileSync(at("outcomes"), `${inFewLines(outcomes, 2)}\n`);
    writeFileSync(at("coverage"), `${inFewLines(coverage, 1)}\n`);
  }
  expect(outcomes).toEqual(load<Outcomes>("outcomes"));
  expect(coverage).toEqual(load<Coverage>("coverage"));
}

test("if the service lacks an endpoint or field of docs/specification.md, the test listed for it fails", async () => {
  await (isWhole ? holdAll() : holdRows());
}, 900_000);

test("the coverage list names a test for every endpoint and field of the specification", () => {
  const coverage = load<Coverage>("coverage");
  process.stdout.write(`docs/specification.md: ${counts(parts, coverage)}\n`);
  expect(Object.keys(coverage)).toEqual(parts.map(nameOf));
  expect(parts.map(nameOf).filter((name) => coverage[name]!.length === 0)).toEqual([]);
  const tests = new Set(Object.values(coverage).flat());
  expect([...tests].filter((name) => !scenarioOf.has(name))).toEqual([]);
  // Scenarios of samples are left out: every resource has them, also a resource that the specification does not describe.
  const byHand = [...scenarioOf.keys()].filter((name) => !/^(?:resource|data) /.test(name));
  expect(byHand.filter((name) => !tests.has(name))).toEqual([]);
});
