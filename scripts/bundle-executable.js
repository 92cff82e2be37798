// Writes the content of the single executable: dist/bundle/executable.js, which it runs, and
// dist/bundle/executable-program.js, the command with all of its packages. The provider is dist/bundle/plugin.js.
const path = require("node:path");
const { bundle, failed, root, writeLicences } = require("./bundle");

async function main() {
  const options = { legalComments: "none", target: "node26" };
  await bundle(path.join("cli", "executable.ts"), "executable.js", options);
  const metafile = await bundle(path.join("cli", "program.ts"), "executable-program.js", {
    ...options,
    mainFields: ["module", "main"],
    // A native module, in whose place the executable uses SQLite of Node.
    external: ["libsql"],
    // Less to decode at each start. Names stay, for stack traces.
    minifyWhitespace: true,
  });
  writeLicences(metafile, "executable-licences.txt");
}

process.chdir(root);
main().catch(failed);
