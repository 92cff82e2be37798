const { readFileSync } = require("node:fs");

/** The processor time of one round of the calibration, in seconds, on the machine of the budgets. */
const REFERENCE = 0.0075;
/** The seconds of processor time after which the calibration is measured again. */
const FRESH_SECONDS = 10;

/** Returns the processor time of this process, in seconds. */
function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Returns the processor time, in seconds, of the ended child processes; 0 if the system does not report it. */
function childSeconds() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

/**
 * Does some work that is always the same and resembles the work of tests: it uses objects, texts, maps, JSON and regular
 * expressions.
 */
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

/** The last measurements, whose median is used. On a busy machine, a single measurement can be wrong by a factor of two. */
const measured = [];
const KEPT = 5;
let measuredAt;

/**
 * Returns the speed of this processor, relative to the machine of the budgets. The speed is 0.5, for example, on a
 * machine that shares its caches. The speed is measured in this process, and again after some seconds of work.
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
