import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Script } from "node:vm";
import { embedded } from "./embedded";
import { optimizeLater, runScript } from "./run-script";

// The output folder of `npm run build`. The path is the same from `dist/cli` and from `dist/bundle`.
const DIST = path.join(__dirname, "..");
const COMPILED = path.join(DIST, ".tsbuildinfo");

/** The bundle for the single executable: the command with all packages. */
export const PROGRAM = "executable-program.js";
/** The bundle of the provider, which runs on Node. */
export const PLUGIN = "plugin.js";
export const PLUGIN_LICENCES = "plugin-licences.txt";

export const bundleFile = (name: string): string => path.join(DIST, "bundle", name);

/** Returns the content of a file next to the bundles, or of its copy in the single executable. */
export const readBundled = (name: string): Buffer => embedded(name) ?? readFileSync(bundleFile(name));

/**
 * Whether a bundle exists and is at least as new as the compiled code. In a checkout, the compiler may run
 * after the bundler.
 */
export const isCurrent = (name: string): boolean =>
  embedded(name) !== undefined || modifiedAt(bundleFile(name)) >= modifiedAt(COMPILED, 0);

/** The name of the V8 code cache of a bundle. It is valid for one release of Node on one platform. */
export const codeCacheOf = (name: string): string => `${name}.${process.version}-${process.arch}.cache`;

/**
 * The V8 code cache of a bundle, written by `scripts/write-code-cache.js`.
 *
 * @public
 */
export const codeCacheFile = (name: string): string => bundleFile(codeCacheOf(name));

/**
 * Loads a bundle with its V8 code cache, if there is one: compiling takes a fifth of the time of many
 * commands.
 */
export function loadBundle(name: string): unknown {
  const cache = codeCacheFile(name);
  if (modifiedAt(cache) < modifiedAt(bundleFile(name))) return require(bundleFile(name));
  const { exports: loaded } = runBundle(name, readFileSync(cache));
  optimizeLater();
  return loaded;
}

/**
 * Like `require`, but also returns the compiled script. V8 rejects a cache of another bundle or release.
 *
 * @public
 */
export function runBundle(name: string, cachedData?: Buffer): { script: Script; exports: unknown } {
  const filename = bundleFile(name);
  // The bundler writes only ASCII, which is read fastest in this encoding.
  const text = readFileSync(filename, "latin1");
  return runScript({ text, filename, cachedData }, path.dirname(filename), createRequire(filename));
}

const modifiedAt = (file: string, missing = -1): number =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? missing;
