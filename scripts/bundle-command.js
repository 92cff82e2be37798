// Writes the command as one file, dist/bundle/program.js, which loads in two thirds of the time that its modules take.
// docs/decisions has the figures. dist/cli/main.js takes it as long as it is no older than what the compiler wrote.
const { mkdirSync, renameSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { build } = require("esbuild");

const root = path.join(__dirname, "..");
const target = path.join(root, "dist", "bundle", "program.js");

/** Every plan loads these. All other packages are loaded when a command needs them, and stay as they are. */
const BUNDLED = ["commander", "zod", "undici/lib/dispatcher/pool"];
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
      path.join(resolveDir, name) === path.join(root, "src", "service")
        ? { path: "../service", external: true }
        : undefined,
    );
  },
};

async function main() {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, "src", "cli", "program.ts")],
    outfile: target,
    write: false,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    // A package can be taken in part from its ES modules: zod without its fifty languages.
    mainFields: ["module", "main"],
    plugins: [apart],
    banner: {
      js: "// Holds parts of commander, undici and zod; their licences stand in these packages, beside this one.",
    },
    logLevel: "warning",
  });
  mkdirSync(path.dirname(target), { recursive: true });
  // Whole at any moment: a command may be starting meanwhile.
  writeFileSync(`${target}.${process.pid}`, outputFiles[0].contents);
  renameSync(`${target}.${process.pid}`, target);
}

main().catch((problem) => {
  process.stderr.write(`${problem.message}\n`);
  process.exitCode = 1;
});
