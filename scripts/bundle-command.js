// Writes the command as one file, dist/bundle/program.js. Loading it takes two thirds of the time of loading its
// modules (docs/decisions has the figures). The program dist/cli/main.js uses this file unless the compiler's output is
// newer.
const path = require("node:path");
const { bundle, failed, root, writeLicences } = require("./bundle");
const { directImports } = require("./direct-imports");
const { withoutComments } = require("./without-comments");

/**
 * The packages in the bundle. Every plan loads the first three packages. The bundle has protobufjs because npm warns of
 * its install script. The bundle has fflate because few commands need the package that depends on fflate. All packages
 * that are not in the bundle stay outside, and a command loads only the packages that it needs.
 */
const BUNDLED = ["commander", "zod", "undici/lib/dispatcher/pool", "protobufjs", "fflate"];
const SERVICE = path.join(root, "src", "service");
const isBundled = (name) => BUNDLED.some((one) => name === one || name.startsWith(`${one}/`));

/** Keeps other packages outside of the bundle, and also the embedded service, which only one command needs. */
const apart = {
  name: "apart",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/, namespace: "file" }, ({ path: name, importer, kind }) =>
      kind === "entry-point" || isBundled(name) || importer.includes(`${path.sep}node_modules${path.sep}`)
        ? undefined
        : { path: name, external: true },
    );
    onResolve({ filter: /\/service$/ }, ({ path: name, resolveDir }) =>
      path.join(resolveDir, name) === SERVICE ? { path: "../service", external: true } : undefined,
    );
  },
};

/**
 * Replaces undici's client for HTTP/2. This client would load all of Node's HTTP/2 at the start of each plan. Steward's
 * connections offer only HTTP/1.1.
 */
const withoutHttp2 = {
  name: "without-http2",
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({
      contents:
        'module.exports = () => { throw new Error("A connection of HTTP/1.1 came back as HTTP/2."); };',
    }));
  },
};

/**
 * Modules of Node that no plan uses. Loading them takes one percent of a plan's time. The bundle loads each of these
 * modules when code uses a member of the module.
 */
const LAZY = ["node:child_process", "node:readline/promises", "node:zlib"];
const lazyModules = {
  name: "lazy-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/, namespace: "file" }, ({ path: name }) =>
      LAZY.includes(name) ? { path: name, namespace: "lazy" } : undefined,
    );
    onLoad({ filter: /./, namespace: "lazy" }, ({ path: name }) => {
      const members = Object.keys(require(name)).map(
        (member) => `get ${member}() { return load().${member}; },`,
      );
      return {
        // Each call of `require` takes microseconds, and an apply computes a checksum for each line of its journal.
        contents: `let loaded;\nconst load = () => (loaded ??= require("${name}"));\nmodule.exports = {\n${members.join("\n")}\n};`,
      };
    });
  },
};

async function main() {
  const options = {
    // From ES modules, esbuild can take a part of a package: zod without its fifty languages.
    mainFields: ["module", "main"],
    plugins: [lazyModules, apart, withoutHttp2, directImports(path.join(SERVICE, "index.ts"))],
    legalComments: "none",
    banner: { js: "// Contains parts of packages. Their licences are in program-licences.txt." },
  };
  const metafile = await bundle(path.join("cli", "program.ts"), "program.js", options, withoutComments);
  writeLicences(metafile, "program-licences.txt");
}

process.chdir(root);
main().catch(failed);
