const { accessSync, constants } = require("node:fs");
const path = require("node:path");
const { names } = require("./utilities/utilities");

const FOLDER = path.join(__dirname, "utilities");

function isOn(folders, name) {
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Returns a PATH with all utilities that apps of tests call. If the system does not have one of them, the folder with the
 * repository's own utilities is added at the end.
 */
function withUtilities(given) {
  const folders = given.split(path.delimiter).filter((folder) => folder !== "");
  return names.every((name) => isOn(folders, name)) ? given : [...folders, FOLDER].join(path.delimiter);
}

module.exports = { withUtilities };
