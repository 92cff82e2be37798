// Writes what the single executable carries: dist/bundle/executable.js, which it runs, and dist/bundle/executable-program.js,
// the command with all of its packages. The provider is dist/bundle/plugin.js.
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { bundle, failed, root, writeLicences } = require("./bundle");

/** The executable takes bundles without decoding, and a code cache is of a text of the same length. */
function requireAscii(...names) {
  for (const name of names) {
    if (readFileSync(path.join(root, "dist", "bundle", name)).some((byte) => byte > 0x7f))
      throw new Error(`dist/bundle/${name} holds characters that are not ASCII.`);
  }
}

async function main() {
  const options = { legalComments: "none", target: "node26" };
  await bundle(path.join("cli", "executable.ts"), "executable.js", options);
  const metafile = await bundle(path.join("cli", "program.ts"), "executable-program.js", {
    ...options,
    mainFields: ["module", "main"],
    // A native module, in whose place the executable uses SQLite of Node.
    external: ["libsql"],
    // Comments hold what is not ASCII. Names stay, for stack traces.
    minifyWhitespace: true,
  });
  requireAscii("executable-program.js", "plugin.js");
  writeLicences(metafile, "executable-licences.txt");
}

process.chdir(root);
main().catch(failed);
