import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { migrateStates, migrationsTo } from "../../../src/engine/library/migrate";
import type { StatePlace } from "../../../src/engine/library/states";
import { emptyState, LocalBackend } from "../../../src/state";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-migrate-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const backendAt = (name: string) => new LocalBackend(path.join(folder, name));
const OPTIONS = { operation: "state migrate", timeoutMs: 0, onNotice: () => undefined };

async function placeOf(stack: string): Promise<StatePlace> {
  await backendAt(`${stack}.tfstate`).write(emptyState());
  return { stack, backend: backendAt(`${stack}.tfstate`) };
}

test("a migration of several states refuses a new location without {stack}", async () => {
  const environment = { folder, env: {} };
  const [web, base] = [await placeOf("web"), await placeOf("base")];
  expect(() => migrationsTo("all.tfstate", [web, base], environment)).toThrow("Put {stack} in it");
  const migrations = migrationsTo("new/{stack}.tfstate", [web, base], environment);
  expect(migrations.map(({ open }) => open().description)).toEqual([
    path.join(folder, "new/web.tfstate"),
    path.join(folder, "new/base.tfstate"),
  ]);
  const [http] = migrationsTo("https://git.example/state/{stack}", [{ ...web, stack: "a b" }], environment);
  expect(http!.open().description).toContain("/state/a%20b");
  const hostile = { ...web, stack: "../../etc" };
  expect(() => migrationsTo("new/{stack}.tfstate", [hostile], environment)).toThrow("part of a file's name");
});

test("a migration copies no state if one of the new locations already contains another state", async () => {
  const places = [await placeOf("web"), await placeOf("base")];
  await backendAt("new-base.tfstate").write(emptyState());
  const migrations = migrationsTo("new-{stack}.tfstate", places, { folder, env: {} });
  await expect(migrateStates(migrations, OPTIONS)).rejects.toThrow("States are unrelated");
  expect(await backendAt("new-web.tfstate").read()).toBeUndefined();
});

test("if a new location does not return the written state, the migration fails and keeps the old state", async () => {
  const place = await placeOf("web");
  const before = await backendAt("web.tfstate").read();
  let opened = 0;
  // Each call opens a different file, as if the state at the new place was lost.
  const open = () => backendAt(`lost-${opened++}.tfstate`);
  await expect(migrateStates([{ ...place, open }], OPTIONS)).rejects.toThrow("The copied state differs");
  expect(await backendAt("web.tfstate").read()).toEqual(before);
});
