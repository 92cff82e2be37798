// Writes the provider that Terraform and OpenTofu start, with all that it needs, as one file: dist/bundle/plugin.js. It
// leaves this package, so the licences of what it holds go with it: dist/bundle/plugin-licences.txt.
const path = require("node:path");
const { bundle, failed, root, writeLicences } = require("../bundle");

async function main() {
  const metafile = await bundle(path.join("cli", "plugin-program.ts"), "plugin.js", {
    minify: true,
    // Errors contain names.
    keepNames: true,
    legalComments: "none",
  });
  writeLicences(metafile, "plugin-licences.txt");
}

process.chdir(root);
main().catch(failed);
