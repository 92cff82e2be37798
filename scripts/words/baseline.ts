import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** The number of findings that each file may still have. */
export type Baseline = ReadonlyMap<string, number>;

/**
 * Reads lines such as `docs/state.md 12`. A merge can leave two lines for one file: the lower number counts. A missing
 * file is a baseline that is still to be written.
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

/** The baseline after an update: it falls to the current counts and never rises. */
export function lowered(before: Baseline | undefined, current: Baseline): Baseline {
  if (before === undefined) return current;
  return new Map([...current].map(([path, count]) => [path, Math.min(count, before.get(path) ?? 0)]));
}

/** The files with more findings than their baseline allows. */
export function grown(before: Baseline, current: Baseline): readonly string[] {
  return [...current].filter(([path, count]) => count > (before.get(path) ?? 0)).map(([path]) => path);
}

/**
 * The baseline after the text of one file moved to others: each takes its current count from the unused count of the
 * old file. Returns undefined if the others have more findings.
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
