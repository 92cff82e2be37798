import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The function bodies that a suite ran, each as `file:start`. A file contains one such record. */
export interface Coverage {
  readonly suite: string;
  readonly ran: readonly string[];
}

/** The start of a body if its source file changed after the record, so that the real start is not known. */
const CHANGED = "changed";

export const changedBody = (file: string): string => `${file}:${CHANGED}`;

/**
 * Returns the coverage of a suite after some sources changed. The starts of bodies in these sources are no longer
 * known.
 */
export function afterChanges({ suite, ran }: Coverage, changed: ReadonlySet<string>): Coverage {
  const fileOf = (body: string): string => body.slice(0, body.lastIndexOf(":"));
  return {
    suite,
    ran: [...new Set(ran.map((body) => (changed.has(fileOf(body)) ? changedBody(fileOf(body)) : body)))],
  };
}

/**
 * Returns the suites that must run again after files changed: new suites, changed suites, and suites near to other
 * changed test files. A suite is near to a file if it is in the file's folder, or else in the first folder above that
 * has suites.
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

/** Returns the names of the suites whose coverage is in a folder. */
export const suitesIn = (folder: string): ReadonlySet<string> =>
  new Set(existsSync(folder) ? readdirSync(folder).map((name) => readCoverage(folder, name).suite) : []);

/** Copies the coverage of an earlier commit. Suites that no longer exist are left out. */
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

/** Writes the times of an earlier run. If a suite ran again, its new time replaces its earlier time. */
export function addTimes(earlier: string, again: string | undefined, to: string): void {
  const read = (file: string): readonly { readonly file: string }[] => JSON.parse(readFileSync(file, "utf8"));
  const fresh = again === undefined ? [] : read(again);
  const isFresh = new Set(fresh.map(({ file }) => file));
  writeFileSync(to, JSON.stringify([...read(earlier).filter(({ file }) => !isFresh.has(file)), ...fresh]));
}
