import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");
const page = readFileSync(path.join(ROOT, "docs/architecture.md"), "utf8");

test("every file that the page names with its room exists", () => {
  const named = [...page.matchAll(/`(?:src\/)?([a-z]+\/[a-z/-]+\.ts)`/g)].map(([, file]) => file!);
  expect(named.length).toBeGreaterThan(20);
  // Paths without their room, such as `run/prepare.ts`, are those of the engine or the framework.
  const folders = ["", "src", "src/engine", "src/framework"];
  const exists = (file: string) => folders.some((folder) => existsSync(path.join(ROOT, folder, file)));
  expect(named.filter((file) => !exists(file))).toEqual([]);
});
