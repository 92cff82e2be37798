const path = require("node:path");

/** Prints and counts the exemptions of the conformance suites, and their reasons, whenever one of them ran. */
module.exports = class ExemptionsReporter {
  onRunComplete(_contexts, results) {
    const suites = results.testResults.filter(({ testFilePath }) =>
      path.basename(testFilePath).startsWith("conformance"),
    );
    if (suites.length === 0) return;
    // Samples are TypeScript, and only the workers of Jest compile.
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
