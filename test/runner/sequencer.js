const { readFileSync } = require("node:fs");
const path = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

/** The approximate durations of the longest suites, in seconds. These durations only determine the order of suites. */
const LONGEST = require("./longest-suites.json");
/**
 * The assumed duration of a suite of transcripts, in seconds. The size of its file says nothing, because the file only names
 * the transcripts.
 */
const TRANSCRIPTS = 4;
/** The number of bytes of a suite's file that correspond to one second. */
const BYTES = 10_000;

/**
 * Starts the longest suites first, so that no worker runs one of them at the end. Jest's cache contains the durations.
 * Without a cache, as in a clean clone, Jest would use the sizes of the files, but the files of the longest suites are small.
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

/** Returns the suites in the order that a run with mutants requires. */
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
