import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { type History, historyOf } from "../../../src/cli/history/history";
import { findReports, loadReports } from "../../../src/cli/history/load";
import { historyPage } from "../../../src/cli/history/page";
import { readReport } from "../../../src/cli/reports/read-report";
import { runs, seed } from "../../support/capabilities";
import { damaged, damages } from "../../support/damage";
import { object, report, stack } from "./support/reports";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-history-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: unknown): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  const isText = typeof content === "string" || Buffer.isBuffer(content);
  writeFileSync(path.join(folder, name), isText ? content : JSON.stringify(content));
}
const load = async (): Promise<History> => historyOf(await loadReports(await findReports(folder, "/")));

const RUNS = [
  report(0, [stack("shop", [object("shop", "acme_a.one", "in_sync")])]),
  report(1, [stack("shop", [object("shop", "acme_a.one", ["level"])])]),
  report(2, [stack("shop", [object("shop", "acme_a.one", "in_sync")])]),
  report(3, [stack("shop", [object("shop", "acme_a.one", "vanished")])]),
];

test("history finds reports in subfolders, and sorts all reports by time", async () => {
  for (const [at, run] of RUNS.entries()) write(`${9 - at}/deep/drift.json`, run);
  const { points, repairs, open } = await load();
  expect(points.map(({ changed, vanished }) => [changed, vanished])).toEqual([
    [0, 0],
    [1, 0],
    [0, 0],
    [0, 1],
  ]);
  expect([repairs?.count, open.length]).toEqual([1, 1]);
});

test("history does not count hidden files, linked folders, reports of plan and apply, and copies of a report", async () => {
  write("1.json", RUNS[0]);
  write("last.json", RUNS[0]);
  write(".cache/2.json", RUNS[1]);
  write(".3.json", RUNS[1]);
  write("plan.json", report(4, [], { command: "plan" }));
  write("plan.widget.json", { create: 1, update: 0, delete: 0 });
  write("apply.json", report(5, [], { command: "apply" }));
  symlinkSync(folder, path.join(folder, "again"));
  expect(await load()).toMatchObject({ points: [{}], copies: 1, skipped: [] });
});

test.each([
  ["an empty file", "", "it ends too early"],
  ["a part of a report", JSON.stringify(RUNS[0]).slice(0, 99), "it ends too early"],
  ["another JSON file", { name: "app", version: "1.0.0" }, "it is not a report of Steward"],
  ["a plan of Terraform", { format_version: "1.2", planned_values: {} }, "it is not a report of Steward"],
  [
    "a report of a later format",
    { ...RUNS[0], format_version: "2.0" },
    "its format version is not 1.x, so it needs a newer release of Steward",
  ],
  [
    "a report without a status",
    report(0, [stack("a", [{ ...object("a", "acme_a.one", "in_sync"), status: 7 as never }])]),
    "it is damaged at stacks.0.objects.0.status",
  ],
  [
    "a report without a time",
    report(0, [], { started_at: "yesterday" }),
    "its started_at is not a time in UTC",
  ],
])("history skips %s, and prints the file and the reason", async (_, content, reason) => {
  write("1.json", RUNS[0]);
  write("bad/it.json", content);
  expect((await load()).skipped).toEqual([{ file: "bad/it.json", reason }]);
});

test.each([
  ["1.0", ["unchecked", "known_fingerprints", "project", "id", "known"]],
  ["1.1", ["known_fingerprints", "project", "id"]],
  ["1.2", ["project", "id"]],
  ["1.3", []],
  ["1.6", []],
])("history reads a report of format version %s", (version, missing) => {
  const text = JSON.stringify({ ...RUNS[1], format_version: version }, (key, value) =>
    missing.includes(key) ? undefined : value,
  );
  expect(readReport(text)).toMatchObject({ time: Date.UTC(2026, 0, 1, 1), hasScope: version === "1.6" });
});

test("if reports are damaged or renamed, only the list of skipped files on the history page changes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(damages, { minLength: 1, maxLength: 4 }),
      fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
      async (all, order) => {
        rmSync(folder, { recursive: true });
        for (const [at, index] of order.entries()) write(`run-${at}.json`, RUNS[index]);
        for (const [at, damage] of all.entries())
          write(`damaged-${at}.json`, damaged(Buffer.from(JSON.stringify(RUNS[at])), damage));
        const history = await load();
        const page = historyPage({ ...history, skipped: [] });
        for (const { file } of history.skipped) rmSync(path.join(folder, file));
        // The page must be the same without the skipped files, and with other names of the remaining files. If the command
        // can still read a damaged report, the report counts as valid, and its file remains.
        for (const [at, file] of readdirSync(folder).entries())
          renameSync(path.join(folder, file), path.join(folder, `${9 - at}-${file}`));
        const rest = await load();
        expect(rest.skipped).toEqual([]);
        expect(historyPage(rest)).toBe(page);
      },
    ),
    { numRuns: runs(40, 1000), seed },
  );
});

test("if the folder with the reports is copied, history writes the same page for the copy", async () => {
  for (const [at, run] of RUNS.entries()) write(`${at}.json`, run);
  const page = historyPage(await load());
  const copy = mkdtempSync(path.join(tmpdir(), "steward-history-"));
  cpSync(folder, copy, { recursive: true });
  expect(historyPage(historyOf(await loadReports(await findReports(copy, "/"))))).toBe(page);
  rmSync(copy, { recursive: true });
});
