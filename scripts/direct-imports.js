// A plugin of esbuild: an import from the index.ts of a module becomes imports of the named files. A command then
// loads only these files. An index.ts only names files; other code in it stays an import of the index.
const { existsSync, readFileSync } = require("node:fs");
const path = require("node:path");

const IMPORT = /^import \{([^}]*)\} from "(\.[^"]*)";/gm;
const EXPORT = /^export \{([^}]*)\} from "(\.[^"]*)";/gm;

const EXPORT_ALL = /^export \* from "(\.[^"]*)";/gm;

/** `apart` is the index of a module outside of the bundle. */
const directImports = (apart) => ({
  name: "direct-imports",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8").replace(IMPORT, (line, names, from) => {
        const target = fileOf(file, from);
        return isDoor(target) && target !== apart ? importsOf(file, names, from) : line;
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

/** The file that has a name of a door, and its name there. */
function origin(file, name) {
  if (!isDoor(file)) return { file, name };
  const { named, wholes } = doorOf(file);
  const whole = wholes.find((one) => declares(one, name));
  const found = named.get(name) ?? (whole && { file: whole, name });
  return found === undefined ? { file, name } : origin(found.file, found.name);
}

/** By file: where the values that a door exports come from, and the files that it exports as a whole. */
const doors = new Map();

function doorOf(file) {
  const known = doors.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, "utf8");
  const named = [...text.matchAll(EXPORT)].flatMap(([, names, from]) =>
    specifiers(names).map(({ name, alias }) => [alias, { file: fileOf(file, from), name }]),
  );
  const wholes = [...text.matchAll(EXPORT_ALL)].map(([, from]) => fileOf(file, from));
  doors.set(file, { named: new Map(named), wholes });
  return doors.get(file);
}

const declares = (file, name) =>
  new RegExp(`^export (?:const|class|(?:async )?function\\*?) ${name}\\b`, "m").test(
    readFileSync(file, "utf8"),
  );

/** The names in braces, without types. */
const specifiers = (names) =>
  names
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith("type "))
    .map((one) => {
      const [name, alias = name] = one.split(" as ");
      return { name, alias };
    });

const isDoor = (file) => path.basename(file) === "index.ts";

function fileOf(importer, from) {
  const target = path.join(path.dirname(importer), from);
  return [`${target}.ts`, path.join(target, "index.ts")].find(existsSync) ?? target;
}

module.exports = { directImports };
