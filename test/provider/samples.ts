import { findSample, type Samples } from "../../scripts/generate/samples";
import { createProvider } from "../../src/provider";
import { GROUP, PROJECT, TOKEN } from "../../src/provider/samples/company";
import type { Entries, Http, OneEach, Sample } from "../../src/provider/samples/sample";
import { isEntries, isSent } from "../../src/provider/samples/sample";
import type { ValueObject } from "../../src/schema";
import { runs } from "../support/capabilities";

export { isSent, varied } from "../../src/provider/samples/sample";
export type { Entries, Sample };

const { resources, dataSources } = createProvider().schema;

const all = <S extends keyof Samples>(subject: S, types: object): Readonly<Record<string, Samples[S]>> =>
  Object.fromEntries(
    Object.keys(types).flatMap((type) => {
      const sample = findSample(subject, type);
      return sample === undefined ? [] : [[type, sample]];
    }),
  );

/** The samples of all resources by type. `samples.test.ts` names the files that are missing. */
export const SAMPLES = all("resource", resources);

/** The samples of all data sources by type. */
export const DATA_SAMPLES = all("data source", dataSources);

/** Samples of resources with many objects in a container, and of those with one. */
export const ENTRIES = many<Entries>(isEntries);
export const ONE_EACH = many<OneEach>((one) => !isEntries(one));

function many<M extends Sample["many"]>(chosen: (one: Sample["many"]) => boolean) {
  return Object.entries(SAMPLES).flatMap(([type, sample]): [string, M, Sample][] =>
    chosen(sample.many) ? [[type, sample.many as M, sample]] : [],
  );
}

/** Runs a suite for each resource. */
export const describeEvery = (body: (type: string, sample: Sample) => void): void =>
  describe.each(Object.entries(SAMPLES))("%s", body);

/** Returns the token of the user who applies objects of a type. */
export const appliedBy = (type: string): string => SAMPLES[type]?.appliedBy ?? TOKEN.maintainer;

/** The container of the objects of a type. */
export const containerOf = (type: string): "project" | "group" =>
  "group" in resources[type]!.attributes ? "group" : "project";

/** The path of the container of the samples, for manual requests. */
export const placeOf = (type: string): string =>
  containerOf(type) === "group" ? `/groups/${GROUP.platform}` : `/projects/${PROJECT.web}`;

/** The declaration of a sample in another container, without omitted attributes. */
export const placed = (type: string, container: string, config = SAMPLES[type]!.config): ValueObject =>
  Object.fromEntries(
    Object.entries({ ...config, [containerOf(type)]: container }).filter(([, value]) => value !== null),
  );

/** The declaration of a sample with all changes that keep the object. */
export const changedInPlace = (type: string): ValueObject => {
  const { config, variations } = SAMPLES[type]!;
  const { attributes } = resources[type]!;
  return {
    ...config,
    ...Object.fromEntries(
      Object.entries(variations).filter(([name]) => attributes[name]!.text.replaces !== true),
    ),
  };
};

/** Whether a container holds many objects of a type. */
export const isEntry = (type: string): boolean => isEntries(SAMPLES[type]!.many);

/** Whether an update in place changes anything. */
export const isUpdated = ({ writes }: Sample): boolean => isSent(writes.update);

/** Manual changes and deletions in the container of the samples. */
export const deletesByHand = (type: string): ((http: Http) => Promise<unknown>) | undefined => {
  const { deleteByHand } = SAMPLES[type]!;
  return typeof deleteByHand === "function" ? (http) => deleteByHand(http, placeOf(type)) : undefined;
};

/** Fails if any part of the sample's object remains after the destroy. */
export async function expectGone(type: string, http: Http, at = placeOf(type)): Promise<void> {
  for (const [path, shown] of Object.entries(SAMPLES[type]!.leaves)) {
    expect(await http("GET", `${at}/${path}`)).toMatchObject(shown);
  }
}

/** Whether a resource is left out of a test; the reporter prints all reasons. */
export const isExempt = (type: string, test: string): boolean => SAMPLES[type]?.exempt?.[test] !== undefined;

/** Whether a resource's suite runs with the habits of the live platform too: all of them do in `npm run soak`. */
export const isHeldToHabits = (type: string): boolean =>
  runs(0, 1) === 1 || SAMPLES[type]?.hasHabits === true;
