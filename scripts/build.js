// Compiles src into dist, and rebuilds files of dist/bundle that are older than their inputs. A build without a
// change takes a moment, since every test run begins with one.
const { execFileSync } = require("node:child_process");
const { chmodSync, readdirSync, statSync } = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const COMPILED = path.join("dist", ".tsbuildinfo");
/** The compiled code of V8 comes last; it belongs to one release of Node. */
const LAST = path.join("dist", "bundle", `program.js.${process.version}-${process.arch}.cache`);
const BUNDLES = ["program.js", "program-licences.txt", "plugin.js", "plugin-licences.txt"].map((name) =>
  path.join("dist", "bundle", name),
);

const run = (...words) => execFileSync(process.execPath, words, { cwd: root, stdio: "inherit" });
const writtenAt = (file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The compiler's output, the packages that are bundled, and the scripts that do it. */
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
// The compiler writes a new file without the right to run it, and npm links the command once.
chmodSync(path.join(root, "dist", "cli", "main.js"), 0o755);
const oldest = Math.min(...[...BUNDLES, LAST].map(writtenAt));
if (oldest < newestSource()) {
  run(path.join("scripts", "bundle-command.js"));
  run(path.join("scripts", "write-code-cache.js"));
  run(path.join("scripts", "plugin", "bundle-plugin.js"));
}
