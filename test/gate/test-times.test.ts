import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { testTimes, trendOf } from "../../bench/gate/test-times";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-times-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the time of a test run is the sum of its suites' times, including the loading of modules", () => {
  const file = path.join(folder, "times.json");
  writeFileSync(
    file,
    JSON.stringify([
      { seconds: 2, loading: 0.5 },
      { seconds: 3, loading: 0 },
    ]),
  );
  expect(testTimes([`npm run other=${file}`])).toEqual([{ name: "npm run other", seconds: 5.5, before: [] }]);
});

test("if a file of times is missing, the error contains the file's name", () => {
  expect(() => testTimes([`npm test=${path.join(folder, "missing.json")}`])).toThrow(/missing\.json/);
});

test.each([
  [110, [{ date: "2026-11-28", seconds: 100 }], "+10 % since 2026-11-28"],
  [90, [{ date: "2026-11-28", seconds: 100 }], "-10 % since 2026-11-28"],
  [90, [], "first one"],
])("a time of %d s after the times %j has the trend %s", (seconds, before, trend) => {
  expect(trendOf({ name: "npm test", seconds, before })).toBe(trend);
});
