import path from "node:path";
import { describeWith, runs } from "../../support/capabilities";
import { keyOf, ownOutcome, readCases } from "./cases";
import { expectedOutcome, GROUPS, writeTable } from "./console-table";
import { EXPLAINED_DIFFERENCES } from "./explained-differences";
import { TerraformConsole } from "./terraform-console";

describe("expressions have the same results as in Terraform's console", () => {
  for (const { name, sources } of readCases()) {
    test(`${name}: the results of ${sources.length} expressions equal the results in Terraform's console`, () => {
      const known = GROUPS[name] ?? {};
      expect(sources.filter((source) => !Object.hasOwn(known, keyOf(source)))).toEqual([]);
      const compared = sources.filter((source) => !EXPLAINED_DIFFERENCES.has(keyOf(source)));
      const own = Object.fromEntries(compared.map((source) => [keyOf(source), ownOutcome(source)]));
      expect(own).toEqual(
        Object.fromEntries(compared.map((source) => [keyOf(source), expectedOutcome(name, source)])),
      );
    });
  }

  test("each documented difference from Terraform's console still exists", () => {
    const outcomes = new Map(Object.values(GROUPS).flatMap((group) => Object.entries(group)));
    const same = [...EXPLAINED_DIFFERENCES.keys()].filter(
      (source) => !outcomes.has(source) || ownOutcome(source) === (outcomes.get(source) ?? undefined),
    );
    expect(same).toEqual([]);
  });
});

describeWith("terraform", "the table of console results agrees with Terraform on this machine", (program) => {
  if (path.basename(program) !== "terraform") return;
  let terraform: TerraformConsole;
  beforeAll(() => {
    terraform = new TerraformConsole(program);
  });
  afterAll(() => terraform.close());

  // After you add cases, run: UPDATE_CONSOLE_TABLE=1 npx jest test/language/syntax/console-table
  if (process.env["UPDATE_CONSOLE_TABLE"]) {
    test(
      "with UPDATE_CONSOLE_TABLE, this test writes the table of console results again",
      () => writeTable(terraform),
      600_000,
    );
    return;
  }

  test.each(readCases())(
    "$name: the table contains the results of Terraform's console",
    ({ name, sources }) => {
      // `npm test` leaves out the cases with an error, because each of them needs several processes.
      const checked =
        runs(0, 1) === 1 ? sources : sources.filter((source) => expectedOutcome(name, source) !== undefined);
      expect(terraform.outcomes(checked)).toEqual(checked.map((source) => expectedOutcome(name, source)));
    },
    300_000,
  );
});
