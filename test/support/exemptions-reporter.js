const path = require("node:path");
const exemptions = require("../provider/conformance-exemptions.json");

/** Prints and counts what the conformance suites leave out, and why, whenever one of them ran. */
module.exports = class ExemptionsReporter {
  onRunComplete(_contexts, results) {
    const suites = results.testResults.filter(({ testFilePath }) =>
      path.basename(testFilePath).startsWith("conformance"),
    );
    if (suites.length === 0) return;
    process.stderr.write(`\nConformance: ${exemptions.length} exemptions\n`);
    for (const { of, test, reason } of exemptions) {
      process.stderr.write(`  - ${of}, ${test}: ${reason}\n`);
    }
  }
};
