import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

/** A copy of the checkout, because the quickstart writes a state and a synthesized app into its folder. */
let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(path.join(tmpdir(), "steward-quickstart-"));
  for (const name of ["cdktf.json", "package.json", "tsconfig.json", "examples"])
    cpSync(path.join(ROOT, name), path.join(checkout, name), { recursive: true });
  for (const name of ["dist", "node_modules"]) symlinkSync(path.join(ROOT, name), path.join(checkout, name));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

test("the quickstart prints access changes and drift in at most 120 lines", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "examples/quickstart/run.ts"],
    { cwd: checkout, encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split("\n").length).toBeLessThanOrEqual(120);
  expect(stdout).toMatch(/^Access: \+2 can approve, /m);
  expect(stdout).toMatch(/^Drift: 2 changed, 1 vanished \(5 objects checked\)\.$/m);
  expect(stdout).toContain("Where to look next");
});
