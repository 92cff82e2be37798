const { readFileSync } = require("node:fs");
const path = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

/** About how many seconds the longest suites take. A hint for the order, and for nothing else. */
const LONGEST = require("./longest-suites.json");
/** The duration of a suite of transcripts, in seconds; its file only names the transcripts. */
const TRANSCRIPTS = 4;
/** Bytes of a suite that take about a second. */
const BYTES = 10_000;

/**
 * Starts the longest suites first, so that no worker plays one of them last. Jest's cache knows the durations. A
 * clean clone has no cache, and Jest then uses the size of a file, which is small for the longest suites.
 */
class LongestFirst extends Sequencer {
  sort(tests) {
    const file = process.env.STEWARD_SUITE_ORDER;
    return file === undefined ? super.sort(tests) : inOrderOf(JSON.parse(readFileSync(file, "utf8")), tests);
  }

  time(test) {
    return super.time(test) ?? 1000 * expectedSeconds(test);
  }
}

/** Tests in the order that a run of mutants asks for. */
function inOrderOf(names, tests) {
  const placeOf = (test) =>
    names.indexOf(path.relative(test.context.config.rootDir, test.path).split(path.sep).join("/"));
  return [...tests].sort((one, other) => placeOf(one) - placeOf(other));
}

function expectedSeconds({ path: file, context: { config, hasteFS } }) {
  const name = path.relative(config.rootDir, file).split(path.sep).join("/");
  if (LONGEST[name] !== undefined) return LONGEST[name];
  return name.includes("/transcripts/") ? TRANSCRIPTS : (hasteFS.getSize(file) ?? 0) / BYTES;
}

module.exports = LongestFirst;
