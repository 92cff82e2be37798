import { readFileSync, statSync } from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";
import { Script } from "node:vm";

// The output folder of `npm run build`. The path is the same from `dist/cli` and from `dist/bundle`.
const DIST = path.join(__dirname, "..");
const COMPILED = path.join(DIST, ".tsbuildinfo");

export const bundleFile = (name: string): string => path.join(DIST, "bundle", name);

/**
 * Whether a bundle exists and is at least as new as the compiled code. In a checkout, the compiler may run
 * after the bundler.
 */
export const isCurrent = (name: string): boolean => modifiedAt(bundleFile(name)) >= modifiedAt(COMPILED, 0);

/**
 * The V8 code cache of a bundle, written by `scripts/write-code-cache.js`. It is valid for one release of
 * Node.
 *
 * @public
 */
export const codeCacheFile = (name: string): string =>
  `${bundleFile(name)}.${process.version}-${process.arch}.cache`;

/**
 * Loads a bundle with its V8 code cache, if there is one: compiling takes a fifth of the time of many
 * commands.
 */
export function loadBundle(name: string): unknown {
  const cache = codeCacheFile(name);
  if (modifiedAt(cache) < modifiedAt(bundleFile(name))) return require(bundleFile(name));
  return runBundle(name, readFileSync(cache)).exports;
}

/**
 * Like `require`, but also returns the compiled script. V8 rejects a cache of another bundle or release.
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

const modifiedAt = (file: string, missing = -1): number =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? missing;
