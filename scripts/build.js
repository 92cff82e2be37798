// Compiles src into dist, and rebuilds the files of dist/bundle that are older than their inputs. Every test run begins
// with a build, so a build without changes must be fast.
const { execFileSync } = require("node:child_process");
const { chmodSync, readdirSync, statSync } = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const COMPILED = path.join("dist", ".tsbuildinfo");
/** The file that the build writes last: compiled code of V8, for one release of Node. */
const LAST = path.join("dist", "bundle", `program.js.${process.version}-${process.arch}.cache`);
const BUNDLES = ["program.js", "program-licences.txt", "plugin.js", "plugin-licences.txt"].map((name) =>
  path.join("dist", "bundle", name),
);

const run = (...words) => execFileSync(process.execPath, words, { cwd: root, stdio: "inherit" });
const writtenAt = (file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Returns the time of the newest input of the bundles: the compiler's output, the bundled packages or a build script.
 */
function newestSource() {
  const scripts = ["scripts", path.join("scripts", "plugin")].flatMap((folder) =>
    readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => path.join(folder, name)),
  );
  return Math.max(...[COMPILED, "package-lock.json", ...scripts].map(writtenAt));
}

run(path.join("node_modules", "typescript", "bin", "tsc"), "-b", "src", path.join("src", "constructs"));
run(path.join("scripts", "write-test-entries.js"));
// The compiler creates the file without the permission to execute it, and npm links the command only at the
// installation.
chmodSync(path.join(root, "dist", "cli", "main.js"), 0o755);
const oldest = Math.min(...[...BUNDLES, LAST].map(writtenAt));
if (oldest < newestSource()) {
  run(path.join("scripts", "bundle-command.js"));
  run(path.join("scripts", "write-code-cache.js"));
  run(path.join("scripts", "plugin", "bundle-plugin.js"));
}
