import { readdirSync } from "node:fs";
import path from "node:path";
import { findSample, type Samples, sampleFile, sampleMissing } from "../../scripts/generate/samples";
import { createProvider } from "../../src/provider";

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
