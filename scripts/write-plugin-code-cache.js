// Serves the provider as Terraform starts it, and at its end writes what V8 compiled of it, for this release of Node.
const path = require("node:path");
const { root, writeWhole } = require("./bundle");
const { codeCacheFile, PLUGIN, runBundle } = require(path.join(root, "dist", "cli", "bundles.js"));

const { script } = runBundle(PLUGIN);
process.on("exit", () => writeWhole(codeCacheFile(PLUGIN), script.createCachedData()));
