// Finds the files of the package. The entries and the command of the package load most of these files. The other files
// are types of the loaded files, and the pages and examples in the field `files`.
const { existsSync, readdirSync, readFileSync, statSync } = require("node:fs");
const { builtinModules } = require("node:module");
const path = require("node:path");
const { root } = require("../bundle");
const { VENDORED } = require("./vendored");

const BUNDLES = "dist/bundle";
const PROGRAM = `${BUNDLES}/program.js`;
/** Returns true for output of `npm run build:executable`, which is in the same folder. */
const isOfExecutable = (file) => path.basename(file).startsWith("executable");

/** A file that the command's bundle replaces. `dist/cli/main.js` loads this file only if there is no bundle. */
const REPLACED = new Set(["dist/cli/program.js"]);

/** Patterns that find imported names in the compiler's output. */
const IMPORTS = {
  ".js": /\brequire\(["']([^"'\n$]+)["']\)/g,
  ".mjs": /(?:\bfrom |\bimport\(|^import )["']([^"'\n]+)["']/gm,
  ".d.ts": /(?:\bfrom |\bimport\(|^import )["']([^"'\n]+)["']/gm,
};

/**
 * Returns the files of the package, and the packages that they import.
 * @throws Error if a file imports a package that is not a dependency of this package
 */
function contentsOf({ bin, exports: entries, files, dependencies, peerDependencies }) {
  const begun = [
    ...Object.values(bin),
    ...Object.values(entries).flatMap((entry) => (typeof entry === "string" ? [] : filesOf(entry))),
  ].map((file) => path.posix.normalize(file));
  const { found, packages } = reachable([...begun, PROGRAM]);
  const installed = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
  const missing = [...packages].filter(([name]) => !installed.has(name));
  if (missing.length > 0) {
    const lines = missing.map(
      ([name, file]) => `${file} imports ${name}, which is no dependency of the package.`,
    );
    throw new Error(lines.join("\n"));
  }
  const others = files
    .filter((file) => !file.startsWith("!") && file !== "dist")
    .flatMap(below)
    // Leaves out the test of the app that `steward init` writes, because the command contains the text of this test.
    .filter((file) => !file.endsWith(".test.ts"));
  // The code loads other bundles by their file names, and these bundles contain everything that they need. Caches are
  // left out, because each belongs to one release of Node.
  const bundles = below(BUNDLES).filter((file) => !file.endsWith(".cache") && !isOfExecutable(file));
  return {
    files: [...new Set([...found, ...bundles, ...others])].sort(),
    packages: new Set(packages.keys()),
  };
}

/** Returns the files of an entry. Conditions can be nested. */
const filesOf = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry).flatMap(filesOf));

/** Follows imports from the given files. Each package is returned with the first file that imports the package. */
function reachable(begun) {
  const found = new Set();
  const packages = new Map();
  const open = [...begun];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file) || REPLACED.has(file)) continue;
    found.add(file);
    const isTypes = /\.d\.m?ts$/.test(file);
    const pattern = IMPORTS[isTypes ? ".d.ts" : path.posix.extname(file)];
    for (const [, name] of readFileSync(path.join(root, file), "utf8").matchAll(pattern)) {
      const typesOfNode = isTypes ? NODE_TYPES : undefined;
      const imported = isBuiltin(name) ? typesOfNode : packageOf(name);
      if (name.startsWith(".")) open.push(fileOf(file, name));
      else if (imported !== undefined && !VENDORED.has(imported)) {
        packages.set(imported, packages.get(imported) ?? file);
      }
    }
  }
  return { found, packages };
}

const NODE_TYPES = "@types/node";
const isBuiltin = (name) => name.startsWith("node:") || builtinModules.includes(name);

const packageOf = (name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/");

function fileOf(importer, name) {
  const target = path.posix.join(path.posix.dirname(importer), name);
  const ending = /\.d\.m?ts$/.test(importer) ? ".d.ts" : ".js";
  const candidates = [
    target,
    `${target}${ending}`,
    `${target}/index${ending}`,
    target.replace(/\.js$/, ending),
  ];
  const file = candidates.find((one) => statSync(path.join(root, one), { throwIfNoEntry: false })?.isFile());
  if (file === undefined) throw new Error(`${importer} imports ${name}, which is not there.`);
  return file;
}

function below(file) {
  const where = path.join(root, file);
  if (!existsSync(where)) return [];
  if (statSync(where).isFile()) return [file];
  return readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}

module.exports = { contentsOf };
