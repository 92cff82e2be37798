import { type Cell, known, linesOf, object, report, stack, traceOf } from "./support/reports";

const LIMIT = "acme_scope.limit";
/** Returns a report of one stack with one object. */
const run = (hours: number, cell: Cell, more: object = {}) =>
  report(hours, [stack("shop", [object("shop", LIMIT, cell)])], more);
const wholeRun = (hours: number, ...objects: readonly ReturnType<typeof object>[]) =>
  report(hours, [stack("shop", objects)]);

// trace-law.test.ts covers how a drift develops over time. These tests cover unusual reports.

describe("a drift", () => {
  test.each([
    ["excluded the object", report(2, [stack("shop", [])], { limited_to: { excludes: [LIMIT] } })],
    ["was over another stack", report(2, [stack("docs", [])], { limited_to: { stacks: ["docs"] } })],
    [
      "is of an older version, which does not say what it left out",
      report(2, [stack("shop", [])], { format_version: "1.3" }),
    ],
  ])("a drift stays open after a run that %s", (_, later) => {
    expect(linesOf([run(0, "in_sync"), run(1, ["level"]), later])).toEqual([
      `shop/${LIMIT}.level changed 1h, open`,
    ]);
  });

  test("if the ignore file suppresses a drift, history shows that the drift was ignored, not repaired", () => {
    const ignoring = (name: string) =>
      report(2, [
        stack("shop", [object("shop", LIMIT, "in_sync")], { ignored: [{ object: name, reason: "why" }] }),
      ]);
    const lines = [`shop/${LIMIT}.level changed before 1h, ignored 2h`];
    expect(linesOf([run(1, ["level"]), ignoring(LIMIT)])).toEqual(lines);
    expect(linesOf([run(1, ["level"]), ignoring(`${LIMIT}: level`)])).toEqual(lines);
    expect(linesOf([run(1, ["level"]), ignoring(`${LIMIT}: name`)])).toEqual([
      `shop/${LIMIT}.level changed before 1h, repaired 2h`,
    ]);
  });

  test("if `drift --repair` reverts a drift, history shows the drift as repaired in this run", () => {
    const repaired = wholeRun(2, object("shop", LIMIT, ["level"], { repaired: true }));
    expect(linesOf([run(1, ["level"]), repaired])).toEqual([
      `shop/${LIMIT}.level changed before 1h, repaired 2h`,
    ]);
  });
});

test("if a drifted object gets a new address, history ends the old address's drift and begins another drift", () => {
  const renamed = wholeRun(2, object("shop", "acme_scope.renamed", ["level"], { id: `1:${LIMIT}` }));
  expect(linesOf([run(1, ["level"]), renamed])).toEqual([
    `shop/${LIMIT}.level changed before 1h, undeclared 2h`,
    "shop/acme_scope.renamed.level changed before 2h, open",
  ]);
});

describe("drift that --since knows from an earlier run", () => {
  const knows = (hours: number, cell: Cell) => report(hours, [stack("shop", [known("shop", LIMIT, cell)])]);

  test("if a run with --since reports a drift as already known, the drift stays open in history", () => {
    const runs = [run(0, "in_sync"), run(1, ["level"]), knows(2, ["name"])];
    expect(linesOf(runs)).toEqual([`shop/${LIMIT}.level changed 1h, open`]);
    const { points } = traceOf([...runs, run(3, ["level"])]);
    expect(points.map(({ changed, undescribed }) => [changed, undescribed])).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [1, 0],
    ]);
  });
});

describe("an undeclared object", () => {
  const RULE = object(null, "acme_rule 42:1", "in_sync", {
    status: "unmanaged",
    container: "project 42",
    fingerprint: "f".repeat(20),
  });
  const coverage = (hours: number, objects: readonly (typeof RULE)[], more: object = {}) =>
    report(hours, [stack("shop", objects)], { coverage: ["project 42"], ...more });

  test("if a run no longer finds an undeclared object, history shows the object's drift as repaired", () => {
    expect(
      linesOf([
        coverage(0, []),
        coverage(1, [RULE]),
        report(2, [stack("unmanaged", [RULE])], { coverage: ["project 42"] }),
        coverage(3, []),
      ]),
    ).toEqual(["-/acme_rule 42:1 undeclared 1h, repaired 3h"]);
  });

  test.each([
    ["without --coverage", report(2, [stack("shop", [])])],
    ["in other projects", coverage(2, [], { coverage: ["project 7"] })],
    ["with errors", coverage(2, [], { result: "failed" })],
    [
      "that knows it from an earlier one",
      report(2, [stack("shop", [], { known_fingerprints: ["f".repeat(20)] })], { coverage: ["project 42"] }),
    ],
  ])("the drift of an undeclared object stays open after a run %s", (_, later) => {
    expect(linesOf([coverage(1, [RULE]), later])).toEqual(["-/acme_rule 42:1 undeclared before 1h, open"]);
  });

  test("if the ignore file contains an undeclared object, history shows the object's drift as ignored", () => {
    const ignoring = report(
      2,
      [stack("shop", [], { ignored: [{ object: "acme_rule 42:1", reason: "why" }] })],
      { coverage: ["project 42"] },
    );
    expect(linesOf([coverage(1, [RULE]), ignoring])).toEqual([
      "-/acme_rule 42:1 undeclared before 1h, ignored 2h",
    ]);
  });
});

test("for each run, the chart has a point that counts the open drifts after this run", () => {
  const { points } = traceOf([
    run(0, ["level", "name"]),
    run(1, ["level"]),
    run(2, "vanished"),
    run(3, "failed", { result: "failed" }),
  ]);
  expect(points.map(({ time: _, ...point }) => point)).toEqual([
    { hasFailed: false, changed: 2, vanished: 0, undeclared: 0, undescribed: 0 },
    { hasFailed: false, changed: 1, vanished: 0, undeclared: 0, undescribed: 0 },
    { hasFailed: false, changed: 0, vanished: 1, undeclared: 0, undescribed: 0 },
    { hasFailed: true, changed: 0, vanished: 1, undeclared: 0, undescribed: 0 },
  ]);
});
