// Writes the command as one file, dist/bundle/program.js, which loads in two thirds of the time that its modules take.
// docs/decisions has the figures. dist/cli/main.js takes it as long as it is no older than what the compiler wrote.
const path = require("node:path");
const { bundle, failed, root, writeLicences } = require("./bundle");
const { directImports } = require("./direct-imports");

/**
 * Every plan loads the first three. protobufjs is taken in because npm warns of the script that its installation runs, fflate
 * because few use what needs it. All other packages are loaded when a command needs them, and stay as they are.
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
 * The client of HTTP/2 in undici, which loads all of it from Node at the start of each plan. Connections offer
 * HTTP/1.1 alone.
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
 * Modules of Node that no plan uses, and that take a hundredth of one to load: each is loaded when one of its members is
 * used. What the bundle's modules take from them are members.
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
  const metafile = await bundle(path.join("cli", "program.ts"), "program.js", {
    // A package can be taken in part from its ES modules: zod without its fifty languages.
    mainFields: ["module", "main"],
    plugins: [lazyModules, apart, withoutHttp2, directImports(path.join(SERVICE, "index.ts"))],
    legalComments: "none",
    banner: { js: "// Holds parts of packages, whose licences stand in program-licences.txt." },
  });
  writeLicences(metafile, "program-licences.txt");
}

process.chdir(root);
main().catch(failed);
