import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { toCamelCase } from "codemaker";
import { findSample, type Samples, sampleFile, sampleMissing } from "../../scripts/generate/samples";
import { createProvider } from "../../src/provider";
import { DATA_SOURCES } from "../../src/provider/data-sources";
import { RESOURCES } from "../../src/provider/registry";
import { DATA_SOURCE_SAMPLES } from "../../src/provider/samples/data-sources";

// The tests of all resources run only for resources with a sample. Only this test finds a missing sample.

const { resources, dataSources } = createProvider().schema;
const REGISTERED: readonly (readonly [keyof Samples, readonly string[]])[] = [
  ["resource", Object.keys(resources)],
  ["data source", Object.keys(dataSources)],
];

test.each(REGISTERED)("every %s has a test sample", (subject, types) => {
  const missing = types.filter((type) => findSample(subject, type) === undefined);
  expect(missing.map((type) => sampleMissing(subject, type))).toEqual([]);
});

test("the error for a missing sample contains the path of the sample file", () => {
  expect(sampleMissing("resource", "steward_deploy_key")).toMatch(
    /^src\/provider\/resources\/deploy-key\.sample\.ts is missing: /,
  );
});

test("every resource sample file in src/provider/resources belongs to a registered resource", () => {
  const folder = path.join(__dirname, "../..", path.dirname(sampleFile("resource", "steward_any")));
  const known = Object.keys(resources).map((type) => path.basename(sampleFile("resource", type)));
  const samples = readdirSync(folder).filter((file) => file.endsWith(".sample.ts"));
  expect(samples.filter((file) => !known.includes(file))).toEqual([]);
});

test("every test sample of a data source belongs to an existing data source", () => {
  expect(Object.keys(DATA_SOURCE_SAMPLES).sort()).toEqual(DATA_SOURCES.map(({ type }) => type).sort());
});

/** Returns the types that the files of a folder declare: `pages-settings.ts` declares `pages_settings`. */
const typesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(__dirname, "../../src/provider", folder))
    .filter((file) => /^[a-z0-9-]+\.ts$/.test(file))
    .map((file) => file.slice(0, -".ts".length).replaceAll("-", "_"))
    .sort();

test("RESOURCES contains exactly one resource type for each file in src/provider/resources", () => {
  expect(RESOURCES.map(({ type }) => type).sort()).toEqual(typesIn("resources"));
});

test("DATA_SOURCES contains every data source that a file in src/provider/data-sources exports", () => {
  const folder = path.join(__dirname, "../../src/provider/data-sources");
  const exported = readdirSync(folder).flatMap((file) => {
    const source = readFileSync(path.join(folder, file), "utf8");
    return [...source.matchAll(/^export const (\w+) = (?:defineDataSource|invitationsTo)\(/gm)].map(
      ([, name]) => name,
    );
  });
  expect(exported.sort()).toEqual(DATA_SOURCES.map(({ type }) => toCamelCase(type)).sort());
});
