const { readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const ROOT = path.join(__dirname, "..", "..");
const BUDGETS = path.join(ROOT, "bench", "budgets.json");
/** What a folder may exceed its budget by, in seconds: the first suite of a worker warms up sources for the others, whichever folder has it. */
const SLACK = 2;
/** The same for one suite. */
const SLACK_OF_SUITE = 1;
const SHARED = "(modules)";

/**
 * Holds what the tests take of the processor to `tests` of bench/budgets.json, folder by folder and suite by suite, in
 * calibrated seconds: those of the machine where the budgets were measured. Only a run of all quick suites is held, or of all
 * long ones, whose limits are wide: what they take depends on the programs that a machine has. What a suite leaves open fails every run.
 */
class BudgetsReporter {
  #config;
  #error;

  constructor(config) {
    this.#config = config;
  }

  onRunComplete(_contexts, { testResults }) {
    const measured = testResults.filter(({ perfStats }) => perfStats.processor).map(suiteOf);
    const file = process.env.STEWARD_TEST_TIMES;
    if (file) writeFileSync(file, `${JSON.stringify(measured, null, 1)}\n`);
    const faults = measured.filter(({ leftOpen }) => leftOpen.length > 0).map(ofLeftOpen);
    if (this.#isWhole()) faults.push(...exceeded(measured));
    if (faults.length === 0) return;
    process.stderr.write(`\n${faults.join("\n\n")}\n`);
    this.#error = new Error(
      `${faults.length} tests or folders of tests leave something open or exceed their budget.`,
    );
  }

  #isWhole() {
    const { nonFlagArgs, testNamePattern, shard, onlyChanged } = this.#config;
    return nonFlagArgs.length === 0 && !testNamePattern && !shard && !onlyChanged && !process.env.SOAK;
  }

  /** Jest asks for it, and fails the run. */
  getLastError() {
    return this.#error;
  }
}

/** What is above its budget; prints the table of the folders. */
function exceeded(measured) {
  const { tests } = JSON.parse(readFileSync(BUDGETS, "utf8"));
  return process.env.STEWARD_SUITES === "long"
    ? ofLongOnes(measured, tests.long)
    : ofQuickOnes(measured, tests);
}

function ofQuickOnes(measured, { quick, tolerance, ...limits }) {
  const folders = sums(measured, quick);
  process.stderr.write(tableOf(folders));
  return [
    ...folders.filter(({ seconds, budget }) => seconds > budget * tolerance + SLACK).map(ofFolder),
    ...slowOnes(measured, limits, tolerance).map(ofSuite),
  ];
}

function ofLongOnes(measured, { all, tolerance, ...limits }) {
  process.stderr.write(tableOf(sums(measured, {})));
  const seconds = measured.reduce((total, one) => total + one.seconds + one.loading, 0);
  return [
    ...(seconds > all * tolerance ? [ofAllLong(seconds, all)] : []),
    ...slowOnes(measured, limits, tolerance).map(ofLongSuite),
  ];
}

const slowOnes = (measured, { suite, suites }, tolerance) =>
  measured
    .map((one) => ({ ...one, limit: suites[one.file] ?? suite }))
    .filter(({ seconds, limit }) => seconds > limit * tolerance + SLACK_OF_SUITE);

function suiteOf({ testFilePath, testResults, perfStats: { processor, leftOpen } }) {
  const file = path.relative(ROOT, testFilePath).split(path.sep).join("/");
  const { own, children, loading, speed } = processor;
  const slowest = testResults
    .map(({ fullName, duration }) => ({ title: fullName, clock: (duration ?? 0) / 1000 }))
    .sort((left, right) => right.clock - left.clock)
    .slice(0, 3);
  return {
    file,
    folder: file.split("/")[1],
    tests: testResults.length,
    seconds: (own + children) * speed,
    own: own * speed,
    children: children * speed,
    loading: loading * speed,
    speed,
    leftOpen,
    slowest,
  };
}

/** The sums of the folders, and of the modules, which a worker loads once for all its suites. */
function sums(measured, budgets) {
  const sum = (some, name) => some.reduce((total, suite) => total + suite[name], 0);
  const folders = [...new Set(measured.map(({ folder }) => folder))].map((folder) => {
    const some = measured.filter((suite) => suite.folder === folder);
    return { folder, suites: some.length, tests: sum(some, "tests"), seconds: sum(some, "seconds") };
  });
  return [...folders, { folder: SHARED, suites: 0, tests: 0, seconds: sum(measured, "loading") }]
    .map((row) => ({ ...row, budget: budgets[row.folder] ?? 0 }))
    .sort((left, right) => right.seconds - left.seconds);
}

const inSeconds = (value) => value.toFixed(1);

function tableOf(rows) {
  const total = (name) => rows.reduce((all, row) => all + row[name], 0);
  const names = ["suites", "tests", "seconds", "budget"];
  const all = { folder: "all", ...Object.fromEntries(names.map((name) => [name, total(name)])) };
  const line = (first, cells) =>
    `  ${first.padEnd(14)}${cells.map((cell) => String(cell).padStart(9)).join("")}\n`;
  const body = [...rows, all].map(({ folder, suites, tests, seconds, budget }) =>
    line(folder, [suites, tests, inSeconds(seconds), inSeconds(budget)]),
  );
  return `\nCalibrated seconds of the processor:\n${line("test/", names)}${body.join("")}`;
}

const ofFolder = ({ folder, seconds, budget }) =>
  `test/${folder} took ${inSeconds(seconds)} calibrated seconds of the processor; its budget is ${inSeconds(budget)} ` +
  "(bench/budgets.json). Make another test of the folder cheaper, or raise the budget with a page in docs/decisions.";

const tooSlow = ({ file, seconds, limit, own, children, slowest }) =>
  `${file} took ${inSeconds(seconds)} calibrated seconds of the processor; it may take ${limit}. ` +
  `${inSeconds(own)} went into this process, and ${inSeconds(children)} into programs that it started. Its slowest tests, by the clock:\n` +
  `${slowest.map(({ title, clock }) => `  ${inSeconds(clock)} s  ${title}\n`).join("")}`;

const ofSuite = (suite) =>
  `${tooSlow(suite)}What starts programs or kills them belongs in a *.long.test.ts, cases of a law beyond those that find its faults in the soak (\`runs\`), ` +
  "and a rule that a lower level can hold belongs there: test/README.md.";

const ofLongSuite = (suite) =>
  `${tooSlow(suite)}Start fewer programs, or show in process what does not need one (test/README.md); ` +
  "or raise `tests.long` of bench/budgets.json with a page in docs/decisions.";

const ofAllLong = (seconds, all) =>
  `All long suites took ${inSeconds(seconds)} calibrated seconds of the processor; their budget is ${inSeconds(all)} ` +
  "(`tests.long` of bench/budgets.json). Make one of them cheaper, or raise the budget with a page in docs/decisions.";

function ofLeftOpen({ file, leftOpen }) {
  const kinds = [...new Set(leftOpen)].map(
    (kind) => `${leftOpen.filter((other) => other === kind).length} ${kind}`,
  );
  return `${file} leaves open what keeps a process from ending: ${kinds.join(", ")}. Close it in afterEach or afterAll.`;
}

module.exports = BudgetsReporter;
