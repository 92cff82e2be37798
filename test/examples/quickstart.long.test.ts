import { spawnSync } from "node:child_process";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

test("the quickstart shows access and drift in at most 120 lines, and where to look next", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "examples/quickstart/run.ts"],
    { cwd: ROOT, encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split("\n").length).toBeLessThanOrEqual(120);
  expect(stdout).toMatch(/^Access: \+2 can approve, /m);
  expect(stdout).toMatch(/^Drift: 2 changed, 1 vanished \(5 objects checked\)\.$/m);
  expect(stdout).toContain("Where to look next");
});
