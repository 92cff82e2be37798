const v8 = require("node:v8");
const vm = require("node:vm");
const { default: circus } = require("jest-circus/runner");
const { writeCoverage } = require("./coverage");
const { childSeconds, processorSeconds, speed } = require("./calibration");
const { removeTemporaryFolders, watchTemporaryFolders } = require("./temporary-folders");

/**
 * How many turns of the event loop what a suite closed has for its end; then two minutes, which nobody waits for but a suite that
 * leaves something open: beside a busy machine a program takes its time to end.
 */
const TURNS = 20;
const LATE_TURNS = 2_400;
const LATE_TURN_MILLISECONDS = 50;
/**
 * Bytes of objects and garbage above which a worker collects its garbage after a suite. About 100 MB are in use. The size of the heap
 * does not show that: it includes 128 MB for new objects, also while these are few.
 */
const MOST_BYTES = 300e6;

/**
 * After how many bytes of code V8 optimizes a function, in place of 132 KiB of JavaScript and 1.8 MB of the WebAssembly in which undici parses: most of what a
 * suite runs is done soon after. It takes 6 to 7 % off the processor's time of a folder of small suites.
 */
v8.setFlagsFromString("--wasm-tiering-budget=1000000000");
// V8 of later releases counts calls, and prints an error about this flag.
if (process.versions.node.startsWith("20.")) v8.setFlagsFromString("--interrupt-budget=400000");
v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc");
watchTemporaryFolders();

/** Whether somebody asks for the times of suites. */
const isTimed = process.env.STEWARD_TEST_TIMES !== undefined;

/** How Jest tells a worker that nothing is left to do: jest-worker's CHILD_MESSAGE_END. */
const END = 2;
// Left alone, a worker ends when nothing is open any more, and is killed half a second later: too early where its memory is
// large and the machine busy. What suites leave open is found by `stillOpen`.
if (process.send) process.on("message", ([kind]) => kind === END && process.exit());

/**
 * Runs a suite with Jest's own runner. Notes in its result what it left open (open-handles-reporter.js) and, on request, what it took of
 * the processor (times-reporter.js).
 */
module.exports = async (globalConfig, config, environment, runtime, ...args) => {
  const open = process.getActiveResourcesInfo();
  const times = isTimed ? startTimes(runtime) : undefined;
  // In a turn of its own: Jest would show this line as the source of each error without one in a test.
  const result = await new Promise((resolve, reject) => {
    setImmediate(() => circus(globalConfig, config, environment, runtime, ...args).then(resolve, reject));
  });
  const processor = times?.();
  writeCoverage(args[0]);
  const leftOpen = await stillOpen(open);
  removeTemporaryFolders();
  if (process.memoryUsage().heapUsed > MOST_BYTES) collectGarbage();
  result.perfStats = { ...result.perfStats, processor, leftOpen };
  return result;
};

/** Starts to measure a suite. Returns a function that ends it and returns seconds of the processor, with the speed that it had. */
function startTimes(runtime) {
  const speedBefore = speed();
  const before = { own: processorSeconds(), children: childSeconds(), loading: runtime.loadingSeconds() };
  return () => {
    const loading = runtime.loadingSeconds() - before.loading;
    const own = processorSeconds() - before.own - loading;
    const children = childSeconds() - before.children;
    return { own, children, loading, speed: (speedBefore + speed()) / 2 };
  };
}

/** The kinds of what is open beyond `before`, and keeps a process from ending. */
async function stillOpen(before) {
  for (let turn = 0; ; turn += 1) {
    const left = [...before];
    const more = process.getActiveResourcesInfo().filter((kind) => {
      const index = left.indexOf(kind);
      if (index >= 0) left.splice(index, 1);
      return index < 0;
    });
    if (more.length === 0 || turn === TURNS + LATE_TURNS) return more;
    await new Promise((resolve) => {
      if (turn < TURNS) setImmediate(resolve);
      else setTimeout(resolve, LATE_TURN_MILLISECONDS);
    });
  }
}
