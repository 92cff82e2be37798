const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const made = new Set();

/** Records a folder if it is directly in the temporary folder of the system. Returns the folder. */
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

/** Removes the recorded folders. For example, cdktf creates a folder for each app of a test and never removes it. */
function removeTemporaryFolders() {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true });
  made.clear();
}

module.exports = { removeTemporaryFolders, watchTemporaryFolders };
