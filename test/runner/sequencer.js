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
  time(test) {
    return super.time(test) ?? 1000 * expectedSeconds(test);
  }
}

function expectedSeconds({ path: file, context: { config, hasteFS } }) {
  const name = path.relative(config.rootDir, file).split(path.sep).join("/");
  if (LONGEST[name] !== undefined) return LONGEST[name];
  return name.includes("/transcripts/") ? TRANSCRIPTS : (hasteFS.getSize(file) ?? 0) / BYTES;
}

module.exports = LongestFirst;
