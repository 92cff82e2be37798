// Serves the provider to a client as Terraform would start it. At the end of the process, writes the code that V8
// compiled, for this release of Node.
const path = require("node:path");
const { root, writeWhole } = require("./bundle");
const { codeCacheFile, PLUGIN, runBundle } = require(path.join(root, "dist", "cli", "bundles.js"));

const { script } = runBundle(PLUGIN);
process.on("exit", () => writeWhole(codeCacheFile(PLUGIN), script.createCachedData()));
