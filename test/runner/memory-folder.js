const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const MEMORY = "/dev/shm";
/** The maximum number of bytes that tests need for their files, with a reserve. */
const NEEDED = 4e9;

/**
 * Returns a folder in memory for temporary files, if the system has one that is large enough and from which programs can run.
 * Tests write thousands of small files and wait for each write, which takes ten times as long on a disk.
 */
function memoryFolder() {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    if (bavail * bsize < NEEDED) return undefined;
    const folder = fs.mkdtempSync(path.join(MEMORY, "steward-runs-programs-"));
    try {
      const program = path.join(folder, "program");
      fs.writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
      execFileSync(program);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
    return MEMORY;
  } catch {
    return undefined;
  }
}

module.exports = { memoryFolder };
