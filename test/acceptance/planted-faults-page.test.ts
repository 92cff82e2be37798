import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./support/own-project";

// test/planted-faults.md names a test for each fault that was planted into the sources.

const rowsOf = (page: string): string[][] =>
  readFileSync(path.join(ROOT, "test", page), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| Area"))
    .map((line) => line.slice(2, -2).split(" | "));

const rows = rowsOf("planted-faults.md");

test("the test that finds a planted fault exists", () => {
  const named = rows.map(([, fault, by = ""]) => ({ fault, files: by.match(/(?<=`)test\/[^`]+/g) ?? [] }));
  expect(named.filter(({ files }) => files.length === 0)).toEqual([]);
  expect(named.filter(({ files }) => files.some((file) => !existsSync(path.join(ROOT, file))))).toEqual([]);
});

test("the page has each fault that the simulator finds", () => {
  const known = rowsOf("simulator/mutants.md").map(([area, fault]) => [area, fault]);
  expect(known.length).toBeGreaterThan(100);
  expect(rows.slice(0, known.length).map(([area, fault]) => [area, fault])).toEqual(known);
});
