// Finds the packages of an earlier run in the target folder. Only these packages may be removed or replaced.
const { readdirSync, readFileSync, statSync } = require("node:fs");
const path = require("node:path");
const { gunzipSync } = require("node:zlib");

const BLOCK = 512;

/** Returns the package.json in an npm package. Returns undefined for any other file. */
function manifestIn(file) {
  try {
    const content = gunzipSync(readFileSync(file));
    for (let at = 0; at + BLOCK <= content.length; ) {
      const field = (from, length) => content.toString("utf8", at + from, at + from + length).split("\0")[0];
      const size = Number.parseInt(field(124, 12), 8);
      if (field(0, 100) === "package/package.json")
        return JSON.parse(content.toString("utf8", at + BLOCK, at + BLOCK + size));
      at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
      if (Number.isNaN(at)) return undefined;
    }
    return undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns this repository's packages in a folder.
 * @param names the names of the packages
 * @throws Error if a different file has the file name of one of these packages, because npm would overwrite it
 */
function ownTarballs(folder, names) {
  const own = [];
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".tgz"))) {
    const file = path.join(folder, name);
    if (statSync(file).isFile() && names.includes(manifestIn(file)?.name)) own.push(file);
    else if (names.some((one) => name.startsWith(`${one}-`)) && statSync(file).size > 0)
      throw new Error(`${file} is not a package of an earlier run, and would be overwritten. Move it away.`);
  }
  return own;
}

module.exports = { ownTarballs };
