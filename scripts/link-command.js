// Links this package's commands into node_modules/.bin. npm does this only for commands of dependencies, but a clone
// also needs node_modules/.bin/steward.
const { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const bin = path.join(root, "node_modules", ".bin");
const { bin: commands } = require("../package.json");

mkdirSync(bin, { recursive: true });
for (const [name, target] of Object.entries(commands)) {
  const link = path.join(bin, name);
  const program = path.join(root, target);
  rmSync(link, { force: true });
  if (process.platform === "win32") {
    writeFileSync(`${link}.cmd`, `@node "${program}" %*\r\n`);
  } else {
    symlinkSync(path.relative(bin, program), link);
    chmodSync(program, 0o755);
  }
}
