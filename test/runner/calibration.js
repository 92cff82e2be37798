const { readFileSync } = require("node:fs");

/** What one round of the calibration takes of the processor, in seconds, where the budgets were measured. */
const REFERENCE = 0.0075;
/** After how many further seconds of the processor a calibration is old. */
const FRESH_SECONDS = 10;

/** Seconds of the processor that this process took. */
function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Seconds of the processor that ended children of this process took; 0 where the system does not tell. */
function childSeconds() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

/** Work like that of the tests, always the same: objects, texts, maps, JSON and regular expressions. */
function work() {
  let sum = 0;
  for (let round = 0; round < 12; round += 1) {
    const objects = Array.from({ length: 400 }, (_, index) => ({
      id: index,
      path: `acme/team-${index % 40}/project-${index}`,
      levels: [{ access_level: 30 + (index % 3) * 10 }, { user: `user-${index}` }],
    }));
    const byPath = new Map(JSON.parse(JSON.stringify(objects)).map((object) => [object.path, object]));
    for (const [path, { levels }] of byPath) {
      sum += levels.length + path.split("/").length + (/project-(\d+)$/.exec(path)?.[1].length ?? 0);
    }
  }
  return sum;
}

function measure() {
  const rounds = [1, 2, 3].map(() => {
    const before = processorSeconds();
    work();
    return processorSeconds() - before;
  });
  return REFERENCE / medianOf(rounds);
}

/** The last measurements. Beside a busy machine single ones are off by a factor of two, which their median is not. */
const measured = [];
const KEPT = 5;
let measuredAt;

/**
 * How quick this processor is now, as a ratio to the one of the budgets: 0.5 beside others that take its caches and its
 * second thread. Measured in this process, and anew after a few seconds of work.
 */
function speed() {
  if (measuredAt === undefined) {
    for (let round = 0; round < 10; round += 1) work();
    for (let round = 0; round < KEPT; round += 1) measured.push(measure());
  } else if (processorSeconds() - measuredAt > FRESH_SECONDS) {
    measured.shift();
    measured.push(measure());
  } else return medianOf(measured);
  measuredAt = processorSeconds();
  return medianOf(measured);
}

const medianOf = (values) => values.toSorted((left, right) => left - right)[values.length >> 1];

module.exports = { childSeconds, processorSeconds, speed };
