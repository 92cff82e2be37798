const path = require("node:path");

/**
 * Prints the exemptions of the conformance suites with their number and reasons, after each run that included such a suite.
 */
module.exports = class ExemptionsReporter {
  onRunComplete(_contexts, results) {
    const suites = results.testResults.filter(({ testFilePath }) =>
      path.basename(testFilePath).startsWith("conformance"),
    );
    if (suites.length === 0) return;
    // tsx loads the samples, because they are TypeScript. Jest compiles TypeScript only in its workers, and reporters
    // run outside of the workers. On a busy machine, tsx would still write its cache when Jest expects the process to end.
    process.env.TSX_DISABLE_CACHE = "1";
    const { SAMPLES } = require("tsx/cjs/api").require("../provider/samples.ts", __filename);
    const lines = Object.entries(SAMPLES).flatMap(([type, { deleteByHand, exempt = {} }]) => [
      ...("impossible" in deleteByHand ? [`${type}, deleted by hand: ${deleteByHand.impossible}`] : []),
      ...Object.entries(exempt).map(([test, reason]) => `${type}, ${test}: ${reason}`),
    ]);
    process.stderr.write(
      `\nConformance: ${lines.length} exemptions\n${lines.map((line) => `  - ${line}\n`).join("")}`,
    );
  }
};
