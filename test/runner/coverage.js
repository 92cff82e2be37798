// Records the bodies of the sources that each suite runs. `npm run mutants -- --random` gives a mutant only to the suites that run its place. STEWARD_COVERAGE names the folder that gets a file for each suite.
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { bodiesOf } = require("./bodies");

const ROOT = path.join(__dirname, "..", "..");
const FOLDER = process.env.STEWARD_COVERAGE;
const SOURCES = path.join(ROOT, "src") + path.sep;
const GENERATED = `${path.sep}generated${path.sep}`;
/** More than the sources have. */
const MOST_BODIES = 1 << 18;

const isCovered = FOLDER !== undefined;

/** The body of each number, as `file:start`. */
const bodies = [];
/** 1 for each body that ran since it was cleared. The sources set it. */
const hits = new Uint8Array(MOST_BODIES);
/** 1 for each body that ran while a module was loaded. A worker loads modules once for all its suites. */
const loading = new Uint8Array(MOST_BODIES);
if (isCovered) globalThis.__hits = hits;

/** The text of a source in which each body notes that it runs, or undefined for other files. */
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
  // Edits at one place nest: the outer body comes first.
  const ordered = edits
    .map((edit, order) => ({ edit, order }))
    .sort((one, other) => other.edit[0] - one.edit[0] || other.order - one.order);
  for (const { edit } of ordered) result = result.slice(0, edit[0]) + edit[1] + result.slice(edit[0]);
  return result;
}

/** Runs what loads a module, and notes its bodies apart. */
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

/** Writes the bodies that a suite ran, and clears them. */
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
