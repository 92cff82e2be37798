const { readFileSync } = require("node:fs");
const path = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

/** About how many seconds the longest suites take. A hint for the order, and for nothing else. */
const LONGEST = require("./longest-suites.json");
/** What a suite of transcripts takes, in seconds; its file only names their files. */
const TRANSCRIPTS = 4;
/** Bytes of a suite that take about a second. */
const BYTES = 10_000;

/**
 * Starts the longest suites first, so that no worker plays one alone at the end. Jest knows from its cache how long a suite took;
 * a clean clone has none, where Jest takes the size of a file for it, and the longest suites have small ones.
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
