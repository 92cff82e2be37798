import { existsSync } from "node:fs";
import path from "node:path";
import { PROVIDER_NAME } from "../../src/provider";
import type { DataSample, Sample } from "../../src/provider/samples/sample";
import { MissingSample } from "./missing-sample";

const ROOT = path.join(__dirname, "../..");

/** What a type has a sample as. */
export interface Samples {
  readonly resource: Sample;
  readonly "data source": DataSample;
}

const FOLDERS: Readonly<Record<keyof Samples, string>> = {
  resource: "src/provider/resources",
  "data source": "src/provider/data-sources",
};

/** The file of a type's sample, from the root of the repository. */
export const sampleFile = (subject: keyof Samples, type: string): string =>
  `${FOLDERS[subject]}/${type.slice(PROVIDER_NAME.length + 1).replaceAll("_", "-")}.sample.ts`;

/** What to do about a type without a sample. */
export const sampleMissing = (subject: keyof Samples, type: string): string =>
  `${sampleFile(subject, type)} is missing: it says what the suites and the page of ${type} need to know.`;

/** The sample of a type; undefined where it has none. */
export function findSample<S extends keyof Samples>(subject: S, type: string): Samples[S] | undefined {
  const file = path.join(ROOT, sampleFile(subject, type));
  return existsSync(file) ? (require(file) as { readonly sample: Samples[S] }).sample : undefined;
}

/** @throws MissingSample where the type has none */
export function sampleOf<S extends keyof Samples>(subject: S, type: string): Samples[S] {
  const sample = findSample(subject, type);
  if (sample === undefined) throw new MissingSample(sampleMissing(subject, type));
  return sample;
}
