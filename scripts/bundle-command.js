// Writes the command as one file, dist/bundle/program.js, which loads in two thirds of the time of its modules.
// docs/decisions has the figures. The program dist/cli/main.js uses the file unless the compiler's output is newer.
const path = require("node:path");
const { bundle, failed, root, writeLicences } = require("./bundle");
const { directImports } = require("./direct-imports");
const { withoutComments } = require("./without-comments");

/**
 * Every plan loads the first three packages. The bundle has protobufjs because npm warns of its install script, and
 * fflate because few commands need its parent. All other packages are loaded when a command needs them, and stay
 * unchanged.
 */
const BUNDLED = ["commander", "zod", "undici/lib/dispatcher/pool", "protobufjs", "fflate"];
const SERVICE = path.join(root, "src", "service");
const isBundled = (name) => BUNDLED.some((one) => name === one || name.startsWith(`${one}/`));

/** Leaves packages where they are, and the service: only one command needs it. */
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
 * The client of HTTP/2 in undici, which loads all of Node's HTTP/2 at the start of each plan. Connections offer only
 * HTTP/1.1.
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
 * Modules of Node that no plan uses, and whose load takes a hundredth of a plan. Each is loaded when one of its
 * members is used: the bundle's modules use only members.
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
        contents: `const load = () => require("${name}");\nmodule.exports = {\n${members.join("\n")}\n};`,
      };
    });
  },
};

async function main() {
  const options = {
    // A package can be taken in part from its ES modules: zod without its fifty languages.
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
