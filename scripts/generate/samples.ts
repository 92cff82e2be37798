import { existsSync } from "node:fs";
import path from "node:path";
import { PROVIDER_NAME } from "../../src/provider";
import { DATA_SOURCE_SAMPLES } from "../../src/provider/samples/data-sources";
import type { DataSample, Sample } from "../../src/provider/samples/sample";
import { MissingSample } from "./missing-sample";

const ROOT = path.join(__dirname, "../..");

/** The kind of sample for each subject. */
export interface Samples {
  readonly resource: Sample;
  readonly "data source": DataSample;
}

const DATA_SOURCES = "src/provider/samples/data-sources.ts";

const nameOf = (type: string): string => type.slice(PROVIDER_NAME.length + 1);

/**
 * Returns the file with the sample of a type, relative to the root of the repository. The sample of a resource is next
 * to the file of the resource.
 */
export const sampleFile = (subject: keyof Samples, type: string): string =>
  subject === "resource"
    ? `src/provider/resources/${nameOf(type).replaceAll("_", "-")}.sample.ts`
    : DATA_SOURCES;

/** Returns the advice for a type without a sample. */
export const sampleMissing = (subject: keyof Samples, type: string): string =>
  (subject === "resource" ? `${sampleFile(subject, type)} is missing` : `${DATA_SOURCES} lacks a sample`) +
  `: it says what the suites and the page of ${type} need to know.`;

const LOADERS: { readonly [S in keyof Samples]: (type: string) => Samples[S] | undefined } = {
  "data source": (type) => DATA_SOURCE_SAMPLES[nameOf(type)],
  resource(type) {
    const file = path.join(ROOT, sampleFile("resource", type));
    return existsSync(file) ? (require(file) as { readonly sample: Sample }).sample : undefined;
  },
};

/** Returns the sample of a type. Returns undefined if the type has no sample. */
export const findSample = <S extends keyof Samples>(subject: S, type: string): Samples[S] | undefined =>
  LOADERS[subject](type);

/**
 * Returns the sample of a type.
 * @throws MissingSample if the type has no sample
 */
export function sampleOf<S extends keyof Samples>(subject: S, type: string): Samples[S] {
  const sample = findSample(subject, type);
  if (sample === undefined) throw new MissingSample(sampleMissing(subject, type));
  return sample;
}
