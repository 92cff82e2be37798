import { historyOf } from "../../../src/cli/history/history";
import { historyPage } from "../../../src/cli/history/page";
import { printableLines } from "../../../src/cli/reports/safe-report";
import { HOSTILE, obeyedLines } from "../../support/hostile";
import { parsePage, problemsOf } from "../support/html";
import { object, report, stack, traceOf } from "./support/reports";

const pageOf = (reports: readonly object[], skipped: { file: string; reason: string }[] = []) =>
  printableLines(historyPage(historyOf({ trace: traceOf(reports), copies: 0, skipped })));
/** Returns a report of several projects. Each project has one object, in the state that its cell describes. */
const run = (hours: number, cells: Readonly<Record<string, "in_sync" | "vanished" | readonly string[]>>) =>
  report(hours, [
    stack(
      "shop",
      Object.entries(cells).map(([project, cell]) =>
        object("shop", `acme_a.${project}`, cell, { project: `acme/${project}` }),
      ),
    ),
  ]);

test("the history page contains totals, a list of drifts and a table with the values of the chart", () => {
  const page = pageOf([
    run(0, { web: "in_sync", api: "in_sync" }),
    run(1, { web: ["level"], api: "vanished" }),
    run(4, { web: "in_sync", api: "vanished" }),
    run(50, { web: ["name"], api: "vanished" }),
  ]);
  expect(problemsOf(page)).toEqual([]);
  const { text, elements } = parsePage(page);
  for (const part of [
    "From2026-01-01 00:00 UTC",
    "Drift runs4",
    "open now2",
    "found in total3",
    "repaired1",
    "median time to repair3 h",
  ])
    expect(text).toContain(part);
  const rows = elements
    .filter(({ name }) => name === "tr")
    .map((one) => one.text.replace(/\s+/g, " ").trim());
  // The page shows these rows in the table of the chart, in the bars, and in the lists.
  expect(rows).toContain("2026-01-01 01:00211complete");
  expect(rows).toContain("acme/web 2 (1 open)".replace(" 2", "2"));
  expect(rows).toContain("1 to 6 h1");
  expect(rows).toContain("acme/api stack shopacme_a.api vanished since 2026-01-01 01:00 age 2 d 1 h");
  expect(rows).toContain(
    "acme/web stack shopacme_a.web.level ~ level = 30 -> 40 repaired2026-01-01 04:00 open for 3 h",
  );
  const described = elements.find(({ name }) => name === "desc");
  expect(described?.text).toBe(
    "From 2026-01-01 00:00 to 2026-01-03 02:00 UTC. At most 2 drifts were open, at 2026-01-01 01:00; after the last run 2. The table below has the values.",
  );
});

test("for each open drift, the history page links to the pipelines that found the drift", () => {
  const elements = [{ kind: "leaf", mark: "+", after: '"acme/docs"' }];
  const difference = { kind: "elements", mark: "~", elements, unchanged: 2 };
  const attributes = [{ name: "targets", sensitive: false, before: [1, 2], after: [1, 2, 3], difference }];
  const drift = (hours: number, pipeline: string) =>
    report(hours, [stack("shop", [object("shop", "acme_a.web", ["targets"], { attributes })])], {
      run: { pipeline },
    });
  const page = pageOf([
    drift(0, "https://ci.example/pipelines/7"),
    drift(1, "https://ci.example/pipelines/8"),
  ]);
  expect(problemsOf(page)).toEqual([]);
  expect(page.indexOf("<h2>Open drifts")).toBeLessThan(page.indexOf("<h2>Drift over time"));
  expect(parsePage(page).text.replace(/\s+/g, " ")).toContain(
    '~ targets = [ + "acme/docs", # (2 unchanged elements hidden) ]',
  );
  expect(page).toContain(
    '<a href="https://ci.example/pipelines/7" rel="noopener noreferrer">2026-01-01 00:00</a>',
  );
  expect(page).toContain('<a href="https://ci.example/pipelines/8"');
});

test("the history page shows markup in names of stacks, projects and attributes as text", () => {
  const page = pageOf(
    [
      report(0, [
        stack(HOSTILE, [
          object(HOSTILE, `acme_a.${HOSTILE}`, [HOSTILE], {
            project: HOSTILE,
            type: HOSTILE,
            url: "javascript:alert(1)",
            attributes: [{ name: HOSTILE, sensitive: false, before: HOSTILE, after: [HOSTILE] }],
          }),
        ]),
      ]),
    ],
    [{ file: HOSTILE, reason: "it ends too early" }],
  );
  expect(problemsOf(page)).toEqual([]);
  expect(obeyedLines(page)).toEqual([]);
});

test("if 5,000 elements of a list were removed, the history page shows only the first lines", () => {
  const page = pageOf([
    report(0, [
      stack("shop", [
        object("shop", "acme_a.one", ["a"], {
          attributes: [
            { name: "secret", sensitive: true },
            {
              name: "targets",
              sensitive: false,
              before: Array.from({ length: 5000 }, (_, at) => at),
              after: [],
            },
          ],
        }),
      ]),
    ]),
  ]);
  expect(page).toContain("(sensitive value)");
  expect(page).toContain("more lines");
  expect(page.length).toBeLessThan(40_000);
});

test("if no run found drift, the history page says that nothing has drifted", () => {
  for (const runs of [[run(0, { web: ["level"] })], [run(0, { web: "in_sync" })], [run(0, {}), run(1, {})]])
    expect(problemsOf(pageOf(runs))).toEqual([]);
  expect(parsePage(pageOf([run(0, { web: "in_sync" })])).text).toContain("Nothing has drifted.");
  expect(parsePage(pageOf([run(0, { web: ["level"] })])).text).toContain("since 2026-01-01 00:00 or earlier");
});

test.each([
  [2, 2],
  [9, 9],
  [10, 0],
])("in the history chart of %i runs, %i runs have a circle", (runs, marked) => {
  const page = pageOf(Array.from({ length: runs }, (_, at) => run(at, { web: ["level"] })));
  expect(page.match(/<circle class="run"/g) ?? []).toHaveLength(marked);
});

test("for 1,500 runs, the history chart has at most 240 points, including the highest number of open drifts", () => {
  const hours = Array.from({ length: 1500 }, (_, hour) =>
    run(hour, { web: hour === 1234 ? ["a", "b", "c"] : "in_sync" }),
  );
  const page = pageOf(hours);
  expect(problemsOf(page)).toEqual([]);
  expect(parsePage(page).text).toContain(
    "At most 3 drifts were open, at 2026-02-21 10:00; after the last run 0.",
  );
  expect(page).toContain("<title>2026-02-21 10:00 UTC: 3 open</title>");
  expect(page.match(/class="hover"/g)?.length).toBeLessThanOrEqual(240);
});

test("if there are 1,200 drifts, the history page lists the first 1,000 and states the total", () => {
  const web = Array.from({ length: 1200 }, (_, at) => object("shop", `acme_a.o${at}`, ["level"]));
  const { text, elements } = parsePage(pageOf([report(0, [stack("shop", web)])]));
  expect(text).toContain("The first 1000 of 1200; totals and plots count all.");
  expect(elements.filter(({ attributes }) => attributes["data-row"] !== undefined)).toHaveLength(1000);
});
