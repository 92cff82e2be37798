// Writes dist/bundle/plugin.js: the provider that Terraform and OpenTofu start, as one file with everything that it
// needs. This file is also distributed without this package, so dist/bundle/plugin-licences.txt has the licences of its
// content.
const path = require("node:path");
const { bundle, failed, root, writeLicences } = require("../bundle");

async function main() {
  const metafile = await bundle(path.join("cli", "plugin-program.ts"), "plugin.js", {
    minify: true,
    // Error messages contain the names of functions and classes.
    keepNames: true,
    legalComments: "none",
  });
  writeLicences(metafile, "plugin-licences.txt");
}

process.chdir(root);
main().catch(failed);
