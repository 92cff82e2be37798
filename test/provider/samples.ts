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

/** The samples of all resources, by type. `samples.test.ts` reports missing samples. */
export const SAMPLES = all("resource", resources);

/** The samples of all data sources, by type. */
export const DATA_SAMPLES = all("data source", dataSources);

/**
 * The samples of resources with many objects in a container. `ONE_EACH` has the samples of resources with one object in
 * a container.
 */
export const ENTRIES = many<Entries>(isEntries);
export const ONE_EACH = many<OneEach>((one) => !isEntries(one));

function many<M extends Sample["many"]>(chosen: (one: Sample["many"]) => boolean) {
  return Object.entries(SAMPLES).flatMap(([type, sample]): [string, M, Sample][] =>
    chosen(sample.many) ? [[type, sample.many as M, sample]] : [],
  );
}

/** Makes a suite for each resource. */
export const describeEvery = (body: (type: string, sample: Sample) => void): void =>
  describe.each(Object.entries(SAMPLES))("%s", body);

/** Returns the token of the user who can apply objects of a type. */
export const appliedBy = (type: string): string => SAMPLES[type]?.appliedBy ?? TOKEN.maintainer;

/** Returns the kind of container to which objects of a type belong. */
export const containerOf = (type: string): "project" | "group" =>
  "group" in resources[type]!.attributes ? "group" : "project";

/** Returns the path of the samples' container, for requests by hand. */
export const placeOf = (type: string): string =>
  containerOf(type) === "group" ? `/groups/${GROUP.platform}` : `/projects/${PROJECT.web}`;

/** Returns the declaration of a sample in another container. Null attributes are left out. */
export const placed = (type: string, container: string, config = SAMPLES[type]!.config): ValueObject =>
  Object.fromEntries(
    Object.entries({ ...config, [containerOf(type)]: container }).filter(([, value]) => value !== null),
  );

/** Returns the declaration of a sample with all changes that do not replace the object. */
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

/** Returns true if a container can have many objects of this type. */
export const isEntry = (type: string): boolean => isEntries(SAMPLES[type]!.many);

/** Returns true if objects of this resource can be updated in place. */
export const isUpdated = ({ writes }: Sample): boolean => isSent(writes.update);

/**
 * Returns a function that deletes the object of a sample by hand. Returns undefined if objects of this type cannot be
 * deleted.
 */
export const deletesByHand = (type: string): ((http: Http) => Promise<unknown>) | undefined => {
  const { deleteByHand } = SAMPLES[type]!;
  return typeof deleteByHand === "function" ? (http) => deleteByHand(http, placeOf(type)) : undefined;
};

/** Fails if the service still shows anything of the sample's object. */
export async function expectGone(type: string, http: Http, at = placeOf(type)): Promise<void> {
  for (const [path, shown] of Object.entries(SAMPLES[type]!.leaves)) {
    expect(await http("GET", `${at}/${path}`)).toMatchObject(shown);
  }
}

/**
 * Returns true if a sample excludes its resource from a test. The test reporter prints the reasons of all exemptions.
 */
export const isExempt = (type: string, test: string): boolean => SAMPLES[type]?.exempt?.[test] !== undefined;

/**
 * Returns true if the suite of a resource also runs with the habits of the live platform. In `npm run soak`, this is
 * true for all resources.
 */
export const isHeldToHabits = (type: string): boolean =>
  runs(0, 1) === 1 || SAMPLES[type]?.hasHabits === true;
