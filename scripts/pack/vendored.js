// The packages that each have one bundle in dist/bundle, with all their dependencies. Without the bundles, users would
// have to install these packages and many small dependencies. The types of this package do not refer to the types of
// the bundled packages. The dependencies of fastify would also cause a warning on Node 20, because `overrides` have no
// effect in a user's project.
const path = require("node:path");
const { bundle, root, writeLicences } = require("../bundle");

const VENDORED = new Set(["@babel/parser", "diff", "fastify", "xmlbuilder2"]);

const fileOf = (name) => `${name.replace("@", "").replace("/", "-")}.js`;

/** Writes a bundle for each package, and one file with the licences of everything in them. */
async function bundleVendored() {
  const inputs = {};
  for (const name of VENDORED) {
    const entry = path.relative(path.join(root, "src"), require.resolve(name, { paths: [root] }));
    const metafile = await bundle(entry, fileOf(name), {
      legalComments: "none",
      minifySyntax: true,
      minifyWhitespace: true,
    });
    Object.assign(inputs, metafile.inputs);
  }
  writeLicences({ inputs }, "vendored-licences.txt");
}

/** Returns the text of a file in which these bundles replace the packages. */
function requireVendored(file, text) {
  if (!file.endsWith(".js") || isVendored(file)) return text;
  return text.replaceAll(/\brequire\("([^"\n]+)"\)/g, (call, name) => {
    if (!VENDORED.has(name)) return call;
    const bundled = path.posix.relative(path.posix.dirname(file), `dist/bundle/${fileOf(name)}`);
    return `require("${bundled.startsWith(".") ? bundled : `./${bundled}`}")`;
  });
}

const isVendored = (file) => [...VENDORED].some((name) => file === `dist/bundle/${fileOf(name)}`);

module.exports = { VENDORED, bundleVendored, requireVendored };
