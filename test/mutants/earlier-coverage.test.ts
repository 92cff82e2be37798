import { afterChanges, suitesToRun } from "../../scripts/mutants/random/earlier-coverage";

const SUITES: readonly string[] = [
  "test/http/retry.test.ts",
  "test/http/pages/pages.test.ts",
  "test/text/width.test.ts",
];

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ["a new suite", ["test/text/width.test.ts"], [], ["test/text/width.test.ts"]],
  ["a changed suite", [], ["test/http/retry.test.ts"], ["test/http/retry.test.ts"]],
  [
    "a suite in the folder of a changed file",
    [],
    ["test/http/pages/cases.txt"],
    ["test/http/pages/pages.test.ts"],
  ],
  ["a suite above a changed file", [], ["test/http/support/server.ts"], ["test/http/retry.test.ts"]],
  ["no suite because of a changed source", [], ["src/http/retry.ts"], []],
  ["no suite because of a helper of all folders", [], ["test/support/server.ts"], []],
  ["no suite that was removed", [], ["test/http/old.test.ts"], []],
])("after a change, these suites run again: %s", (_, unknown, changed, expected) => {
  const known = new Set(SUITES.filter((suite) => !unknown.includes(suite)));
  expect(suitesToRun(SUITES, changed, known)).toEqual(expected);
});

test("if a source file changes, a suite's earlier coverage still contains the lines of other files", () => {
  const coverage = { suite: "test/a.test.ts", ran: ["src/a.ts:10", "src/a.ts:20", "src/b.ts:10"] };
  expect(afterChanges(coverage, new Set(["src/a.ts"])).ran).toEqual(["src/a.ts:changed", "src/b.ts:10"]);
});
