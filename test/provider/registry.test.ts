import { readdirSync } from "node:fs";
import path from "node:path";
import { DATA_SOURCES, RESOURCES } from "../../src/provider/registry";

/** The types that the names of a folder's files stand for: `pages-settings.ts` declares `pages_settings`. */
const typesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(__dirname, "../../src/provider", folder))
    .filter((file) => /^[a-z0-9-]+\.ts$/.test(file))
    .map((file) => file.slice(0, -".ts".length).replaceAll("-", "_"))
    .sort();

test.each([
  ["resources", RESOURCES],
  ["data-sources", DATA_SOURCES],
] as const)("every file of %s is registered, under the type that its name says", (folder, registered) => {
  expect(registered.map(({ type }) => type).sort()).toEqual(typesIn(folder));
});
