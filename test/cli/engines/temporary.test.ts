import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const MODULE = JSON.stringify(require.resolve("../../../src/cli/engines/temporary"));

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(path.join(tmpdir(), "steward-temporary-"));
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

/** Runs a script in a process of its own, whose temporary folder this is; `lent` does something with a folder. */
const run = (script: string) =>
  spawnSync(
    process.execPath,
    ["--require", "tsx/cjs", "-e", `const { withTemporaryFolder: lent } = require(${MODULE}); ${script}`],
    { env: { ...process.env, TMPDIR: temporary, TSX_DISABLE_CACHE: "1" }, encoding: "utf8" },
  );
const left = () => readdirSync(temporary).filter((name) => name.startsWith("steward-plan-"));

test("a folder for a plan goes with a process that ends at once, in the midst of the work", () => {
  expect(run("lent(async () => process.exit(3))").status).toBe(3);
  expect(left()).toEqual([]);
});

test("what a killed process left goes with the next run; the folder of a process that may still run stays", () => {
  expect(run('lent(async () => process.kill(process.pid, "SIGKILL"))').signal).toBe("SIGKILL");
  const [killed] = left();
  expect(statSync(path.join(temporary, killed!)).mode & 0o777).toBe(0o700);
  const elsewhere = "steward-plan-1-00000000-00000000-abcdef";
  mkdirSync(path.join(temporary, elsewhere));
  writeFileSync(path.join(temporary, "steward-plan-of-mine"), "");
  expect(run("lent(async () => {})").status).toBe(0);
  expect(existsSync(path.join(temporary, killed!))).toBe(false);
  expect(left().sort()).toEqual([elsewhere, "steward-plan-of-mine"].sort());
});
