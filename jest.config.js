const { memoryFolder } = require("./test/runner/memory-folder");
const { withUtilities } = require("./test/runner/path");
const { giveToWorkers } = require("./test/runner/worker-options");

// Quick suites are `*.test.ts`, run by `npm test`. Long suites are `*.long.test.ts`, and start programs, kill them or
// repeat a law many times; `npm run test:all` adds them. test/README.md lists the rules for each.
const LONG = "\\.long\\.test\\.ts$";
const QUICK = "(?<!\\.long)\\.test\\.ts$";
const EVERY = "\\.test\\.ts$";

/** The suites of this run: STEWARD_SUITES; every suite if a file is named, and in the soak. */
function suites() {
  const named = process.argv.slice(2).some((argument) => argument.includes(".test"));
  if (named || process.env.SOAK) return EVERY;
  return process.env.STEWARD_SUITES === "long" ? LONG : QUICK;
}

/**
 * Milliseconds after which a test counts as endless. No test should come near this limit on any machine. A test waits
 * for events, and the runner names tests that wait for more than a minute.
 */
const TIME_LIMIT = (process.env.SOAK ? 12 : 1) * 3_600_000;

const memory = process.env.TMPDIR ? undefined : memoryFolder();
if (memory !== undefined) process.env.TMPDIR = memory;

process.env.PATH = withUtilities(process.env.PATH ?? "");
giveToWorkers();

module.exports = {
  // The suites of a worker share its world and its modules: test/runner/runtime.js says how.
  testEnvironment: "<rootDir>/test/runner/environment.js",
  runtime: "<rootDir>/test/runner/runtime.js",
  testRunner: "<rootDir>/test/runner/test-runner.js",
  testSequencer: "<rootDir>/test/runner/sequencer.js",
  roots: ["<rootDir>/test"],
  testRegex: suites(),
  // Jest leaves a core for itself by default. Here it only waits.
  maxWorkers: "100%",
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      {
        jsc: { target: "es2022", parser: { syntax: "typescript" } },
        module: { type: "commonjs" },
      },
    ],
  },
  moduleNameMapper: {
    "^cdktf-provider-steward$": "<rootDir>/src/constructs",
    "^cdktf-provider-steward/api$": "<rootDir>/src/api",
    "^cdktf-provider-steward/engine$": "<rootDir>/src/engine",
    "^cdktf-provider-steward/framework$": "<rootDir>/src/framework",
    "^cdktf-provider-steward/provider$": "<rootDir>/src/provider",
    "^cdktf-provider-steward/testing$": "<rootDir>/src/testing",
    "^cdktf-provider-steward/testing/jest$": "<rootDir>/src/testing/jest",
    "^fast-check$": "<rootDir>/test/support/fast-check",
    "^fast-check/itself$": "fast-check",
  },
  reporters: [
    "default",
    "<rootDir>/test/support/left-out-reporter.js",
    "<rootDir>/test/support/exemptions-reporter.js",
    "<rootDir>/test/runner/open-handles-reporter.js",
    "<rootDir>/test/runner/checkout-reporter.js",
    ...(process.env.STEWARD_TEST_TIMES ? ["<rootDir>/test/runner/times-reporter.js"] : []),
  ],
  testTimeout: TIME_LIMIT,
};
