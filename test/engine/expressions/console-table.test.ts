import path from "node:path";
import { describeWith, runs } from "../../support/capabilities";
import { keyOf, ownOutcome, readCases, type Source } from "./cases";
import golden from "./console-table.golden.json";
import { EXPLAINED_DIFFERENCES } from "./explained-differences";
import { type Outcome, TerraformConsole } from "./terraform-console";

/** Outcomes by group and string; null is an error. */
const GROUPS = golden.groups as Record<string, Record<string, string | null>>;

const expected = (group: string, source: Source): Outcome => GROUPS[group]?.[keyOf(source)] ?? undefined;

describe("Expressions give what Terraform's console gives", () => {
  for (const { name, sources } of readCases()) {
    test(`${name} (${sources.length} cases)`, () => {
      const known = GROUPS[name] ?? {};
      expect(sources.filter((source) => !Object.hasOwn(known, keyOf(source)))).toEqual([]);
      const compared = sources.filter((source) => !EXPLAINED_DIFFERENCES.has(keyOf(source)));
      const own = Object.fromEntries(compared.map((source) => [keyOf(source), ownOutcome(source)]));
      expect(own).toEqual(
        Object.fromEntries(compared.map((source) => [keyOf(source), expected(name, source)])),
      );
    });
  }

  test("each explained difference is one", () => {
    const outcomes = new Map(Object.values(GROUPS).flatMap((group) => Object.entries(group)));
    const same = [...EXPLAINED_DIFFERENCES.keys()].filter(
      (source) => !outcomes.has(source) || ownOutcome(source) === (outcomes.get(source) ?? undefined),
    );
    expect(same).toEqual([]);
  });
});

describeWith("engine", "The table of the console is what the engine on this machine gives", (program) => {
  if (path.basename(program) !== "terraform") return;
  let terraform: TerraformConsole;
  beforeAll(() => {
    terraform = new TerraformConsole(program);
  });
  afterAll(() => terraform.close());

  test.each(readCases())(
    "$name",
    ({ name, sources }) => {
      // Each error costs some processes of its own.
      const checked =
        runs(0, 1) === 1 ? sources : sources.filter((source) => expected(name, source) !== undefined);
      expect(terraform.outcomes(checked)).toEqual(checked.map((source) => expected(name, source)));
    },
    300_000,
  );
});
