const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const made = new Set();

/** Notes a folder that lies in the system's temporary one. */
function note(folder) {
  if (path.dirname(folder) === path.resolve(os.tmpdir())) made.add(folder);
  return folder;
}

/** Records all temporary folders that suites, sources and dependencies create. Called once in each worker. */
function watchTemporaryFolders() {
  const { mkdtempSync } = fs;
  fs.mkdtempSync = (...words) => note(mkdtempSync(...words));
  const { mkdtemp } = fs.promises;
  fs.promises.mkdtemp = async (...words) => note(await mkdtemp(...words));
}

/** Removes the folders of the suite: cdktf creates a folder for each app of a test and never removes it. */
function removeTemporaryFolders() {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true });
  made.clear();
}

module.exports = { removeTemporaryFolders, watchTemporaryFolders };
