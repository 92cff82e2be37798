import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The bodies that a suite ran, each as `file:start`. Its file of coverage holds them. */
export interface Coverage {
  readonly suite: string;
  readonly ran: readonly string[];
}

/** Replaces the start of a body if its source file changed after the coverage was recorded. */
const CHANGED = "changed";

export const changedBody = (file: string): string => `${file}:${CHANGED}`;

/** The coverage of a suite after some sources changed: their bodies are no longer at the places that it names. */
export function afterChanges({ suite, ran }: Coverage, changed: ReadonlySet<string>): Coverage {
  const fileOf = (body: string): string => body.slice(0, body.lastIndexOf(":"));
  return {
    suite,
    ran: [...new Set(ran.map((body) => (changed.has(fileOf(body)) ? changedBody(fileOf(body)) : body)))],
  };
}

/**
 * Returns the suites that must run again after files changed: new and changed suites, and the suites nearest to each other changed
 * test file. They are in its folder, or in the first folder above it that has suites.
 */
export function suitesToRun(
  suites: readonly string[],
  changed: readonly string[],
  known: ReadonlySet<string>,
): readonly string[] {
  const again = new Set(suites.filter((suite) => !known.has(suite) || changed.includes(suite)));
  const others = changed.filter((file) => file.startsWith("test/") && !file.endsWith(".test.ts"));
  for (const file of others) {
    for (let folder = path.posix.dirname(file); folder !== "."; folder = path.posix.dirname(folder)) {
      const nearest = suites.filter((suite) => path.posix.dirname(suite) === folder);
      for (const suite of nearest) again.add(suite);
      if (nearest.length > 0) break;
    }
  }
  return [...again].sort();
}

/** The names of all suites whose coverage a folder has. */
export const suitesIn = (folder: string): ReadonlySet<string> =>
  new Set(existsSync(folder) ? readdirSync(folder).map((name) => readCoverage(folder, name).suite) : []);

/** Copies the coverage of an earlier commit, except for suites that no longer exist. */
export function copyCoverage(
  from: string,
  to: string,
  kept: ReadonlySet<string>,
  changed: readonly string[],
): void {
  mkdirSync(to, { recursive: true });
  const sources = new Set(changed);
  for (const name of readdirSync(from)) {
    const coverage = readCoverage(from, name);
    if (kept.has(coverage.suite))
      writeFileSync(path.join(to, name), JSON.stringify(afterChanges(coverage, sources)));
  }
}

export function readCoverage(folder: string, name: string): Coverage {
  return JSON.parse(readFileSync(path.join(folder, name), "utf8"));
}

/** Adds the times of suites that ran again, if any, to the times of an earlier run. */
export function addTimes(earlier: string, again: string | undefined, to: string): void {
  const read = (file: string): readonly { readonly file: string }[] => JSON.parse(readFileSync(file, "utf8"));
  const fresh = again === undefined ? [] : read(again);
  const isFresh = new Set(fresh.map(({ file }) => file));
  writeFileSync(to, JSON.stringify([...read(earlier).filter(({ file }) => !isFresh.has(file)), ...fresh]));
}
