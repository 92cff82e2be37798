// Records which bodies of the sources each suite runs. `npm run mutants -- --random` then runs a mutant only with the
// suites that run the changed body. For each suite, a file is written to the folder STEWARD_COVERAGE.
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { bodiesOf } = require("./bodies");

const ROOT = path.join(__dirname, "..", "..");
const FOLDER = process.env.STEWARD_COVERAGE;
const SOURCES = path.join(ROOT, "src") + path.sep;
const GENERATED = `${path.sep}generated${path.sep}`;
/** The maximum number of bodies. The sources have fewer bodies. */
const MOST_BODIES = 1 << 18;

const isCovered = FOLDER !== undefined;

/** The bodies as `file:start`. The index of a body is its number. */
const bodies = [];
/** By the number of a body: 1 if the body has run since the last suite. The changed sources set this value. */
const hits = new Uint8Array(MOST_BODIES);
/**
 * By the number of a body: 1 if the body ran while a module was loaded. A worker loads modules only once for all its suites.
 */
const loading = new Uint8Array(MOST_BODIES);
if (isCovered) globalThis.__hits = hits;

/** Returns a source in which each body records that it runs. Returns undefined for files that are not recorded. */
function withHits(file) {
  if (!isCovered || !file.startsWith(SOURCES) || file.includes(GENERATED)) return undefined;
  const text = readFileSync(file, "utf8");
  const name = path.relative(ROOT, file).split(path.sep).join("/");
  const edits = bodiesOf(text).flatMap(({ start, end, kind }) => {
    const hit = `__hits[${bodies.push(`${name}:${start}`) - 1}]=1`;
    if (kind === "block") return [[start + 1, `${hit};`]];
    if (kind === "case") return [[start, `${hit};`]];
    return kind === "statement"
      ? [
          [start, `{${hit};`],
          [end, "}"],
        ]
      : [
          [start, `(${hit},`],
          [end, ")"],
        ];
  });
  let result = text;
  // If several bodies begin at one position, the edit of the outer body comes first.
  const ordered = edits
    .map((edit, order) => ({ edit, order }))
    .sort((one, other) => other.edit[0] - one.edit[0] || other.order - one.order);
  for (const { edit } of ordered) result = result.slice(0, edit[0]) + edit[1] + result.slice(edit[0]);
  return result;
}

/** Loads modules, and separately records the bodies that run while modules load. */
function whileLoading(load) {
  if (!isCovered) return load();
  const before = hits.slice(0, bodies.length);
  hits.fill(0);
  try {
    return load();
  } finally {
    for (let index = 0; index < bodies.length; index += 1) loading[index] |= hits[index];
    hits.fill(0);
    hits.set(before);
  }
}

/** Writes the bodies that a suite ran to a file, and clears the record. */
function writeCoverage(testPath) {
  if (!isCovered) return;
  const of = (array) => bodies.filter((_, index) => array[index] === 1);
  const suite = path.relative(ROOT, testPath).split(path.sep).join("/");
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    path.join(FOLDER, `${suite.replaceAll("/", "+")}.json`),
    JSON.stringify({ suite, ran: of(hits), loaded: of(loading) }),
  );
  hits.fill(0);
}

module.exports = { isCovered, whileLoading, withHits, writeCoverage };
