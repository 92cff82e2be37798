// An esbuild plugin that replaces imports from a module's index.ts by imports from the files that declare the names. A
// command then loads only the files with the imported names. Names that an index.ts declares itself are still imported
// from it.
const { existsSync, readFileSync } = require("node:fs");
const path = require("node:path");

const IMPORT = /^import \{([^}]*)\} from "(\.[^"]*)";/gm;
const EXPORT = /^export \{([^}]*)\} from "(\.[^"]*)";/gm;

const EXPORT_ALL = /^export \* from "(\.[^"]*)";/gm;

/**
 * Makes the plugin. The plugin does not replace imports from the index `apart`, because that module is not part of the
 * bundle.
 */
const directImports = (apart) => ({
  name: "direct-imports",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8").replace(IMPORT, (line, names, from) => {
        const target = fileOf(file, from);
        return isIndex(target) && target !== apart ? importsOf(file, names, from) : line;
      }),
      loader: "ts",
    }));
  },
});

function importsOf(importer, names, from) {
  const lines = specifiers(names).map(({ name, alias }) => {
    const found = origin(fileOf(importer, from), name);
    return `import { ${found.name} as ${alias} } from ${JSON.stringify(found.file)};`;
  });
  return lines.join("\n");
}

/** Returns the file that declares an export of an index, and the name of the export there. */
function origin(file, name) {
  if (!isIndex(file)) return { file, name };
  const { named, wholes } = exportsOf(file);
  const whole = wholes.find((one) => declares(one, name));
  const found = named.get(name) ?? (whole && { file: whole, name });
  return found === undefined ? { file, name } : origin(found.file, found.name);
}

/** The exports of each index: the file of each named export, and the files that it exports as a whole. */
const indexes = new Map();

function exportsOf(file) {
  const known = indexes.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, "utf8");
  const named = [...text.matchAll(EXPORT)].flatMap(([, names, from]) =>
    specifiers(names).map(({ name, alias }) => [alias, { file: fileOf(file, from), name }]),
  );
  const wholes = [...text.matchAll(EXPORT_ALL)].map(([, from]) => fileOf(file, from));
  indexes.set(file, { named: new Map(named), wholes });
  return indexes.get(file);
}

const declares = (file, name) =>
  new RegExp(`^export (?:const|class|(?:async )?function\\*?) ${name}\\b`, "m").test(
    readFileSync(file, "utf8"),
  );

/** Returns the names in the braces of an import or export. Types are left out. */
const specifiers = (names) =>
  names
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith("type "))
    .map((one) => {
      const [name, alias = name] = one.split(" as ");
      return { name, alias };
    });

const isIndex = (file) => path.basename(file) === "index.ts";

function fileOf(importer, from) {
  const target = path.join(path.dirname(importer), from);
  return [`${target}.ts`, path.join(target, "index.ts")].find(existsSync) ?? target;
}

module.exports = { directImports };
