// Writes the two files of the single executable: dist/bundle/executable.js, which the executable runs first, and
// dist/bundle/executable-program.js. The second file is the command with all its packages. The provider is
// dist/bundle/plugin.js.
const path = require("node:path");
const { bundle, failed, root, writeLicences } = require("./bundle");

async function main() {
  const options = { legalComments: "none", target: "node26" };
  await bundle(path.join("cli", "executable.ts"), "executable.js", options);
  const metafile = await bundle(path.join("cli", "program.ts"), "executable-program.js", {
    ...options,
    mainFields: ["module", "main"],
    // A native module. The executable uses Node's own SQLite instead.
    external: ["libsql"],
    // Shorter code loads faster at each start. Names are not shortened, because stack traces need them.
    minifyWhitespace: true,
  });
  writeLicences(metafile, "executable-licences.txt");
}

process.chdir(root);
main().catch(failed);
