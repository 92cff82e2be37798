const path = require("node:path");

const ROOT = path.join(__dirname, "..", "..");

/**
 * Fails a run if a suite leaves a handle open that prevents a process from ending: a timer, a socket, a server or a program.
 */
class OpenHandlesReporter {
  #error;

  onRunComplete(_contexts, { testResults }) {
    const faults = testResults.filter(({ perfStats }) => perfStats.leftOpen?.length > 0).map(described);
    if (faults.length === 0) return;
    process.stderr.write(`\n${faults.join("\n")}\n`);
    this.#error = new Error(`Suites that leave something open: ${faults.length}.`);
  }

  /** Jest calls this function, and fails the run if it returns an error. */
  getLastError() {
    return this.#error;
  }
}

function described({ testFilePath, perfStats: { leftOpen } }) {
  const file = path.relative(ROOT, testFilePath);
  const kinds = [...new Set(leftOpen)].map(
    (kind) => `${leftOpen.filter((other) => other === kind).length} ${kind}`,
  );
  return `${file} leaves open what keeps a process from ending: ${kinds.join(", ")}. Close it in afterEach or afterAll.`;
}

module.exports = OpenHandlesReporter;
