const { execFileSync } = require("node:child_process");
const { readdirSync } = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");

const ROOT = path.join(__dirname, "..", "..");
/**
 * The ignored folders that may stay: of the installation, of the build, and the Python environment that one suite creates
 * once.
 */
const KEPT = new Set(["node_modules/", "dist/", ".venv/"]);
const IGNORED = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory"];

/**
 * Returns the files and folders of the checkout that Git ignores, such as states and synthesized apps. Returns an empty
 * list without Git.
 */
function ignoredFiles() {
  try {
    const listed = execFileSync("git", IGNORED, {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return listed.split("\n").filter((name) => name !== "" && !KEPT.has(name));
  } catch {
    return [];
  }
}

/**
 * Folders whose names differ in each run. If a title contains the name of one of these folders, the test has a
 * different title in the next run.
 */
const FOLDERS_OF_ONE_RUN = [`${tmpdir()}/`, "/dev/shm/", `${ROOT}/`];

/**
 * Fails a run whose tests leave a state, a lock or a synthesized app in the checkout, because tests must work in
 * separate folders. The error names the suite that was the first to end after this file appeared. Also fails if the
 * title of a test contains a path of this run.
 */
class CheckoutReporter {
  #before;
  #top;
  #seen = [];
  #titles = [];
  #error;

  onRunStart() {
    this.#before = new Set(ignoredFiles());
    this.#top = new Set(readdirSync(ROOT));
  }

  onTestFileResult({ path: file }, { testResults }) {
    const titles = testResults.map(({ fullName }) => fullName);
    this.#titles.push(
      ...titles.filter((title) => FOLDERS_OF_ONE_RUN.some((folder) => title.includes(folder))),
    );
    for (const name of readdirSync(ROOT)) {
      if (this.#top.has(name)) continue;
      this.#top.add(name);
      this.#seen.push(`${name} was there when ${path.relative(ROOT, file)} ended.`);
    }
  }

  onRunComplete() {
    const left = ignoredFiles().filter((name) => !this.#before.has(name));
    const lines = this.#titles.map(
      (title) => `"${title}" holds a path of this run. Name the case, so that each run has the same tests.`,
    );
    if (left.length > 0) {
      lines.push(
        `The tests left ${left.join(", ")} in the checkout. Give the command a folder of its own, or --state.`,
        ...this.#seen,
      );
    }
    if (lines.length === 0) return;
    process.stderr.write(`\n${lines.join("\n")}\n`);
    this.#error = new Error(lines.join(" "));
  }

  /** Jest calls this function, and fails the run if it returns an error. */
  getLastError() {
    return this.#error;
  }
}

module.exports = CheckoutReporter;
