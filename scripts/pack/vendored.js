// Packages with one file each in dist/bundle, including all that they depend on, instead of dependencies. They bring
// many small packages, and no type of theirs is named by this package. The dependencies of fastify would also cause a
// warning on Node 20, as `overrides` do not apply in a user's project.
const path = require("node:path");
const { bundle, root, writeLicences } = require("../bundle");

const VENDORED = new Set(["@babel/parser", "diff", "fastify", "xmlbuilder2"]);

const fileOf = (name) => `${name.replace("@", "").replace("/", "-")}.js`;

/** Writes a file for each package, and the licences of all that is in them. */
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

/** The text of a file of the package with these bundles instead of the packages. */
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
