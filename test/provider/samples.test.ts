import { readdirSync } from "node:fs";
import path from "node:path";
import { findSample, type Samples, sampleFile, sampleMissing } from "../../scripts/generate/samples";
import { createProvider } from "../../src/provider";
import { DATA_SOURCES, RESOURCES } from "../../src/provider/registry";

// Suites over resources walk over the samples that there are; here is the one place that misses one.

const { resources, dataSources } = createProvider().schema;
const REGISTERED: readonly (readonly [keyof Samples, readonly string[]])[] = [
  ["resource", Object.keys(resources)],
  ["data source", Object.keys(dataSources)],
];

test.each(REGISTERED)("every %s has a sample beside it", (subject, types) => {
  const missing = types.filter((type) => findSample(subject, type) === undefined);
  expect(missing.map((type) => sampleMissing(subject, type))).toEqual([]);
});

test("a missing sample is reported by the name of its file", () => {
  expect(sampleMissing("resource", "steward_deploy_key")).toMatch(
    /^src\/provider\/resources\/deploy-key\.sample\.ts is missing: /,
  );
});

test.each(REGISTERED)("every sample of a %s stands beside what it is of", (subject, types) => {
  const folder = path.join(__dirname, "../..", path.dirname(sampleFile(subject, "steward_any")));
  const known = types.map((type) => path.basename(sampleFile(subject, type)));
  const samples = readdirSync(folder).filter((file) => file.endsWith(".sample.ts"));
  expect(samples.filter((file) => !known.includes(file))).toEqual([]);
});

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
