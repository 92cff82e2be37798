import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** The number of findings that each file may still have. */
export type Baseline = ReadonlyMap<string, number>;

/**
 * Reads lines such as `docs/state.md 12`. After a merge, a file may have two lines: the lower number counts. Returns
 * undefined if there is no baseline yet.
 */
export function readBaseline(file: string): Baseline | undefined {
  if (!existsSync(file)) return undefined;
  const counts = new Map<string, number>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [, path, digits] = /^(\S+) (\d+)$/.exec(line) ?? [];
    if (path === undefined) continue;
    counts.set(path, Math.min(Number(digits), counts.get(path) ?? Number.POSITIVE_INFINITY));
  }
  return counts;
}

export function writeBaseline(file: string, counts: Baseline): void {
  const lines = [...counts].filter(([, count]) => count > 0).map(([path, count]) => `${path} ${count}\n`);
  writeFileSync(file, lines.sort().join(""));
}

/** Returns the baseline after an update. Numbers fall to the current counts, and never rise. */
export function lowered(before: Baseline | undefined, current: Baseline): Baseline {
  if (before === undefined) return current;
  return new Map([...current].map(([path, count]) => [path, Math.min(count, before.get(path) ?? 0)]));
}

/** Returns the files that have more findings than the baseline allows. */
export function grown(before: Baseline, current: Baseline): readonly string[] {
  return [...current].filter(([path, count]) => count > (before.get(path) ?? 0)).map(([path]) => path);
}

/**
 * Returns the baseline after the text of a file moved to other files. The new files get the allowed number that the old
 * file no longer needs. Returns undefined if this number is not enough for the new files.
 */
export function moved(
  before: Baseline,
  current: Baseline,
  from: string,
  to: readonly string[],
): Baseline | undefined {
  const after = new Map(before);
  let free = (before.get(from) ?? 0) - (current.get(from) ?? 0);
  after.set(from, current.get(from) ?? 0);
  for (const path of to) {
    free -= (current.get(path) ?? 0) - (before.get(path) ?? 0);
    after.set(path, current.get(path) ?? 0);
  }
  return free < 0 ? undefined : after;
}
