// fastify, with everything that it depends on, as one file of the package. Its own dependencies would not install without a warning
// on Node 20, and `overrides` of this repository do not apply where the package is installed.
const path = require("node:path");
const { bundle, writeLicences } = require("../bundle");

const PACKAGE = "fastify";
const BUNDLE = "fastify.js";
const LICENCES = "fastify-licences.txt";
const VENDORED = new Set([PACKAGE]);

async function bundleVendored() {
  const metafile = await bundle(path.join("..", "node_modules", PACKAGE, "fastify.js"), BUNDLE, {
    legalComments: "none",
    minifySyntax: true,
    minifyWhitespace: true,
  });
  writeLicences(metafile, LICENCES);
}

/** The text of a file with the bundle in place of the package. */
function requireVendored(file, text) {
  if (!/^dist\/(?!bundle).*\.js$/.test(file)) return text;
  const bundled = path.posix.relative(path.posix.dirname(file), `dist/bundle/${BUNDLE}`);
  return text.replaceAll(`require("${PACKAGE}")`, `require("${bundled}")`);
}

module.exports = { VENDORED, bundleVendored, requireVendored };
