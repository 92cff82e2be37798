// Bundles the simulator with the sources of Steward. In the sources, esbuild replaces Node's disk, clock and random
// source, and undici's connections. The bundler can also change the text of sources: `npm run mutants` plants its faults
// in this way.
const path = require("node:path");

const HERE = __dirname;
const ROOT = path.join(HERE, "..", "..");
const SOURCES = path.join(ROOT, "src") + path.sep;

const REPLACED = {
  "node:fs": "disk/fs.ts",
  "node:fs/promises": "disk/fs-promises.ts",
  "node:timers/promises": "time/timers.ts",
  "node:crypto": "time/crypto.ts",
  "node:os": "time/os.ts",
  "node:module": "disk/module.ts",
  "undici/lib/dispatcher/pool": "network/pool.ts",
};

const replaceModules = {
  name: "replace-modules",
  setup(build) {
    build.onResolve({ filter: /^(node:|undici\/)/ }, ({ path: name, importer }) => {
      const replacement = importer.startsWith(SOURCES) ? REPLACED[name] : undefined;
      return replacement === undefined ? undefined : { path: path.join(HERE, replacement) };
    });
  },
};

/**
 * Makes an esbuild plugin that changes the text of source files.
 * @param {ReadonlyMap<string, (text: string) => string>} changes the function for each file, by its path from the root
 * of the repository
 */
const changeSources = (changes) => ({
  name: "change-sources",
  setup(build) {
    if (changes.size === 0) return;
    const { readFileSync } = require("node:fs");
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const change = changes.get(path.relative(ROOT, file));
      return change === undefined
        ? undefined
        : { contents: change(readFileSync(file, "utf8")), loader: "ts" };
    });
  },
});

function bundle(outfile, changes = new Map(), entry = "main.ts") {
  return require("esbuild").build({
    entryPoints: [path.join(HERE, entry)],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    packages: "external",
    sourcemap: "linked",
    logLevel: "error",
    inject: [path.join(HERE, "time", "globals.ts")],
    plugins: [replaceModules, changeSources(changes)],
  });
}

module.exports = { bundle };

if (require.main === module) bundle(process.argv[2], new Map(), process.argv[3]);
