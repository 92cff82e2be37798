import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runInProcess } from "../support/in-process";
import { NEW_APP_FILES } from "../support/new-app";

// What an app does that `steward init` wrote is in init.long.test.ts.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-init-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (...names: string[]) => readFileSync(path.join(folder, ...names), "utf8");
const run = (args: string[]) => runInProcess(args, { folder });

test("init overwrites nothing, and writes nothing if one of its files exists", async () => {
  mkdirSync(path.join(folder, "settings", "main.ts"), { recursive: true });
  writeFileSync(path.join(folder, "settings", "README.md"), "mine");
  const { code, err } = await run(["init", "settings"]);
  expect(code).toBe(1);
  expect(err).toContain("main.ts, README.md already, so nothing was written");
  expect(readdirSync(path.join(folder, "settings")).sort()).toEqual(["README.md", "main.ts"]);
  expect(read("settings", "README.md")).toBe("mine");
});

test("init writes beside other files, and reports its own as an event", async () => {
  mkdirSync(path.join(folder, "settings"));
  writeFileSync(path.join(folder, "settings", "LICENSE"), "mine");
  const { code, out } = await run(["init", "settings", "--json"]);
  expect([code, JSON.parse(out)]).toMatchObject([
    0,
    { type: "init_summary", app: { folder: "settings", files: NEW_APP_FILES } },
  ]);
});

test("init --backend names the project that keeps the states", async () => {
  expect((await run(["init", "settings", "--backend", "acme/settings"])).code).toBe(0);
  expect(read("settings", "state.ts")).toContain(
    'const STATE_PROJECT: string | undefined = "acme/settings";',
  );
});

test.each([
  [["--include-subgroups"], "--include-subgroups requires --from"],
  [["--include-emails"], "--include-emails requires --from"],
  [["--all-settings"], "--all-settings requires --from"],
])("init refuses %j without --from", async (options, says) => {
  const { code, err } = await run(["init", "settings", ...options]);
  expect([code, err]).toEqual([1, expect.stringContaining(says)]);
  expect(readdirSync(folder)).toEqual([]);
});
