import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const SCRIPT = path.join(__dirname, "..", "..", "examples", "ci", "pick-stacks.js");

/** What each of so many jobs picks from stacks that are given with those they depend on. */
function picked(total: number, stacks: Readonly<Record<string, readonly string[]>>): readonly string[][] {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-shards-"));
  const entries = Object.entries(stacks).map(([name, others]) => [
    name,
    { name, constructPath: name, workingDirectory: `stacks/${name}`, dependencies: others, annotations: [] },
  ]);
  writeFileSync(
    path.join(folder, "manifest.json"),
    JSON.stringify({ version: "0.21.0", stacks: Object.fromEntries(entries) }),
  );
  const shares = Array.from({ length: total }, (_, index) => {
    const env = { ...process.env, CI_NODE_INDEX: String(index + 1), CI_NODE_TOTAL: String(total) };
    const names = execFileSync(process.execPath, [SCRIPT, folder], { env, encoding: "utf8" }).trim();
    return names === "" ? [] : names.split(" ");
  });
  rmSync(folder, { recursive: true });
  return shares;
}

test("every stack is picked by one job, and those that depend on each other by the same", () => {
  const shares = picked(3, { a: [], b: ["a"], c: ["b"], d: [], e: [], f: ["e"], g: [] });
  expect(shares.flat().sort()).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
  expect(shares.map((share) => [...share].sort())).toEqual([
    ["a", "b", "c"],
    ["e", "f"],
    ["d", "g"],
  ]);
});

test("a job without a share picks nothing", () => {
  expect(picked(2, { a: [] })).toEqual([["a"], []]);
});
