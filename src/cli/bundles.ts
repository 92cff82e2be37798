import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Script } from "node:vm";
import { embedded } from "./embedded";
import { optimizeLater, runScript } from "./run-script";

// The output folder of `npm run build`. This file runs in `dist/cli` or in `dist/bundle`. The relative path to the output
// folder is the same from each of these two folders.
const DIST = path.join(__dirname, "..");
const COMPILED = path.join(DIST, ".tsbuildinfo");

/** The file name of the bundle for the single executable. The bundle contains the command and all packages. */
export const PROGRAM = "executable-program.js";
/** The file name of the provider's bundle. Node runs this bundle. */
export const PLUGIN = "plugin.js";
export const PLUGIN_LICENCES = "plugin-licences.txt";

export const bundleFile = (name: string): string => path.join(DIST, "bundle", name);

/**
 * Returns the content of a file in the folder of the bundles. In the single executable, returns the embedded copy of this
 * file.
 */
export const readBundled = (name: string): Buffer => embedded(name) ?? readFileSync(bundleFile(name));

/**
 * Returns true if a bundle exists and is not older than the compiled code. In a checkout, a developer can compile the code
 * without building the bundle again.
 */
export const isCurrent = (name: string): boolean =>
  embedded(name) !== undefined || modifiedAt(bundleFile(name)) >= modifiedAt(COMPILED, 0);

/** Returns the name of the file with the V8 code cache of a bundle. A cache is valid for one release of Node on one platform. */
export const codeCacheOf = (name: string): string => `${name}.${process.version}-${process.arch}.cache`;

/**
 * Returns the path of the V8 code cache of a bundle. `scripts/write-code-cache.js` writes this file.
 *
 * @public
 */
export const codeCacheFile = (name: string): string => bundleFile(codeCacheOf(name));

/**
 * Loads a bundle, with its V8 code cache if one exists. Without the cache, V8 has to compile the bundle, and many commands
 * spend a fifth of their time on the compilation.
 */
export function loadBundle(name: string): unknown {
  const cache = codeCacheFile(name);
  if (modifiedAt(cache) < modifiedAt(bundleFile(name))) return require(bundleFile(name));
  const { exports: loaded } = runBundle(name, readFileSync(cache));
  optimizeLater();
  return loaded;
}

/**
 * Runs a bundle like `require`, and also returns the compiled script. V8 rejects a code cache that was written for another
 * bundle or for another release of Node.
 *
 * @public
 */
export function runBundle(name: string, cachedData?: Buffer): { script: Script; exports: unknown } {
  const filename = bundleFile(name);
  // The bundler writes only ASCII characters. Node reads such a file fastest as latin1.
  const text = readFileSync(filename, "latin1");
  return runScript({ text, filename, cachedData }, path.dirname(filename), createRequire(filename));
}

const modifiedAt = (file: string, missing = -1): number =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? missing;
