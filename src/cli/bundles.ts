import { readFileSync, statSync } from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";
import { Script } from "node:vm";

// What `npm run build` makes in `dist/bundle`, seen from `dist/cli`, and from there as well.
const DIST = path.join(__dirname, "..");
const COMPILED = path.join(DIST, ".tsbuildinfo");

export const bundleFile = (name: string): string => path.join(DIST, "bundle", name);

/** Whether a bundle is there, and no older than what the compiler wrote: in a checkout that may run later. */
export const isCurrent = (name: string): boolean => writtenAt(bundleFile(name)) >= writtenAt(COMPILED, 0);

/**
 * What V8 compiled of a bundle, as `scripts/write-code-cache.js` writes it: of use to that very release of Node.
 *
 * @public
 */
export const codeCacheFile = (name: string): string =>
  `${bundleFile(name)}.${process.version}-${process.arch}.cache`;

/** Loads a bundle, with what V8 compiled of it where that is there: compiling is a fifth of the work of many a command. */
export function loadBundle(name: string): unknown {
  const cache = codeCacheFile(name);
  if (writtenAt(cache) < writtenAt(bundleFile(name))) return require(bundleFile(name));
  return runBundle(name, readFileSync(cache)).exports;
}

/**
 * The same as `require`, and the script that V8 compiled. It passes over a cache that is not of this bundle and release.
 *
 * @public
 */
export function runBundle(name: string, cachedData?: Buffer): { script: Script; exports: unknown } {
  const filename = bundleFile(name);
  const source = Module.wrap(readFileSync(filename, "utf8"));
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  const loaded = { exports: {} };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(loaded.exports, createRequire(filename), loaded, filename, path.dirname(filename));
  return { script, exports: loaded.exports };
}

const writtenAt = (file: string, missing = -1): number =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? missing;
