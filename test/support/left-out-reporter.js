const { writeFileSync } = require("node:fs");

/** Prints which tests were skipped and why, and writes their numbers to the file that `.ci/run` reads. */
module.exports = class LeftOutReporter {
  onRunComplete(_contexts, results) {
    const leftOut = results.testResults.flatMap((file) =>
      file.testResults
        .filter((test) => test.status === "pending" || test.status === "todo")
        .map((test) => test.fullName),
    );
    const groups = new Map();
    for (const name of leftOut) {
      const need = /\[needs ([^\]]+)\]/.exec(name)?.[1] ?? "no reason given";
      groups.set(need, [...(groups.get(need) ?? []), name]);
    }
    if (leftOut.length > 0) {
      process.stderr.write(`\n${"!".repeat(78)}\n`);
      for (const [need, names] of groups) {
        process.stderr.write(`LEFT OUT, because this machine has no ${need}: ${names.length} tests\n`);
        for (const name of names) process.stderr.write(`  - ${name}\n`);
      }
      process.stderr.write(`In all ${leftOut.length} tests were left out.\n${"!".repeat(78)}\n`);
    }
    const summary = process.env.STEWARD_TEST_SUMMARY;
    if (summary) {
      const { numPassedTests: passed, numFailedTests: failed, numRuntimeErrorTestSuites: broken } = results;
      const needs = Object.fromEntries([...groups].map(([need, names]) => [need, names.length]));
      const counts = { passed, failed: failed + broken, leftOut: leftOut.length, needs };
      writeFileSync(summary, JSON.stringify(counts));
    }
  }
};
