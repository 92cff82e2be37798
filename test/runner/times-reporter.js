const { mkdirSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const ROOT = path.join(__dirname, "..", "..");
/** The name of the row about modules that a worker loads once for all its suites. */
const SHARED = "(modules)";
const SLOWEST_SUITES = 10;
const SLOWEST_TESTS = 3;

/**
 * Prints the processor time of each folder and of the slowest suites. Writes the figures of every suite to the file
 * STEWARD_TEST_TIMES. Without this variable, jest.config.js does not add this reporter. This reporter never fails a
 * run.
 *
 * The seconds are calibrated: they are seconds on the machine of the budgets (see calibration.js).
 */
class TimesReporter {
  #file = process.env.STEWARD_TEST_TIMES;

  onRunComplete(_contexts, { testResults }) {
    const measured = testResults.filter(({ perfStats }) => perfStats.processor).map(suiteOf);
    mkdirSync(path.dirname(path.resolve(this.#file)), { recursive: true });
    writeFileSync(this.#file, `${JSON.stringify(measured, null, 1)}\n`);
    process.stderr.write(`${tableOf(folders(measured))}${slowestOf(measured)}`);
  }
}

function suiteOf({ testFilePath, testResults, perfStats: { processor } }) {
  const file = path.relative(ROOT, testFilePath).split(path.sep).join("/");
  const { own, children, loading, speed } = processor;
  const slowest = testResults
    .map(({ fullName, duration }) => ({ title: fullName, clock: (duration ?? 0) / 1000 }))
    .sort((left, right) => right.clock - left.clock)
    .slice(0, SLOWEST_TESTS);
  return {
    file,
    folder: file.split("/")[1],
    tests: testResults.length,
    seconds: (own + children) * speed,
    own: own * speed,
    children: children * speed,
    loading: loading * speed,
    speed,
    slowest,
  };
}

const sum = (some, name) => some.reduce((total, one) => total + one[name], 0);

/** Returns the sums of the folders. Folders with the most processor time come first. */
function folders(measured) {
  const rows = [...new Set(measured.map(({ folder }) => folder))].map((folder) => {
    const some = measured.filter((suite) => suite.folder === folder);
    return { folder, suites: some.length, tests: sum(some, "tests"), seconds: sum(some, "seconds") };
  });
  const modules = { folder: SHARED, suites: 0, tests: 0, seconds: sum(measured, "loading") };
  return [...rows, modules].sort((left, right) => right.seconds - left.seconds);
}

const inSeconds = (value) => value.toFixed(1);

function tableOf(rows) {
  const names = ["suites", "tests", "seconds"];
  const all = { folder: "all", ...Object.fromEntries(names.map((name) => [name, sum(rows, name)])) };
  const line = (first, cells) =>
    `  ${first.padEnd(14)}${cells.map((cell) => String(cell).padStart(9)).join("")}\n`;
  const body = [...rows, all].map(({ folder, suites, tests, seconds }) =>
    line(folder, [suites, tests, inSeconds(seconds)]),
  );
  return `\nCalibrated seconds of the processor:\n${line("test/", names)}${body.join("")}`;
}

function slowestOf(measured) {
  const suites = measured.toSorted((left, right) => right.seconds - left.seconds).slice(0, SLOWEST_SUITES);
  const lines = suites.map(({ file, seconds, own, children }) => {
    const parts = `${inSeconds(own)} in this process, ${inSeconds(children)} in programs`;
    return `  ${inSeconds(seconds).padStart(6)}  ${file} (${parts})\n`;
  });
  return `The slowest suites:\n${lines.join("")}`;
}

module.exports = TimesReporter;
