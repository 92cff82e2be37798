import { existsSync } from "node:fs";
import path from "node:path";
import { createProvider } from "../../src/provider";

const { resources, dataSources } = createProvider().schema;
const REGISTERED = { resource: Object.keys(resources), "data source": Object.keys(dataSources) } as const;

/** All of one kind that there are. */
interface Registry {
  readonly kind: string;
  readonly registered: readonly string[];
}

/** What a suite has to know of everything that is registered. */
export interface Walk<S> {
  /** What it walks over; resources where left out. */
  readonly over?: keyof typeof REGISTERED | Registry;
  /** What a sample is for, such as "lost answers". */
  readonly about: string;
  readonly samples: Readonly<Record<string, S>>;
  /** Where a new sample goes, from the root of the repository. */
  readonly file: string;
  /** The types that the suite leaves out, each with the reason. */
  readonly without?: Readonly<Record<string, string>>;
}

/** One sentence for each registered type that a suite lacks, and for each entry that is not registered. */
function incomplete(
  { about, samples, file, without = {} }: Walk<unknown>,
  registered: readonly string[],
): readonly string[] {
  const missing = registered.filter((type) => !(type in samples || type in without));
  const named = [...Object.keys(samples), ...Object.keys(without)];
  return [
    ...missing.map((type) => `${type} has no sample for ${about}: add one to ${file}.`),
    ...named
      .filter((type, at) => !registered.includes(type) || named.indexOf(type) !== at)
      .map((type) => `${type} is listed twice for ${about}, or is not registered: remove it from ${file}.`),
    ...Object.entries(without)
      .filter(([, reason]) => reason.trim() === "")
      .map(([type]) => `${type} is left out of ${about} without a reason: add the reason to ${file}.`),
  ];
}

/** Tests that every registered type has a sample, and that removing any one of them, or registering a new type, fails. */
export function testCompleteness(walk: Walk<unknown>): void {
  const { over = "resource", about, samples, without = {}, file } = walk;
  const { kind, registered } = typeof over === "string" ? { kind: over, registered: REGISTERED[over] } : over;

  test(`every registered ${kind} has a sample for ${about}`, () => {
    expect(existsSync(path.join(__dirname, "../..", file))).toBe(true);
    expect(incomplete(walk, registered)).toEqual([]);
  });

  test(`the check for ${about} reports each missing sample, and a new ${kind}`, () => {
    for (const removed of registered) {
      const rest = <T>(of: Readonly<Record<string, T>>) =>
        Object.fromEntries(Object.entries(of).filter(([type]) => type !== removed));
      const less = { ...walk, samples: rest(samples), without: rest(without) };
      expect(incomplete(less, registered)).toEqual([
        `${removed} has no sample for ${about}: add one to ${file}.`,
      ]);
    }
    expect(incomplete(walk, [...registered, "steward_new"])).toEqual([
      `steward_new has no sample for ${about}: add one to ${file}.`,
    ]);
  });
}

/** Runs a suite for each sample, and tests that none is missing. */
export function describeEvery<S>(walk: Walk<S>, body: (type: string, sample: S) => void): void {
  testCompleteness(walk);
  describe.each(Object.entries(walk.samples))("%s", body);
}
