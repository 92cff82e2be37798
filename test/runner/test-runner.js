const v8 = require("node:v8");
const vm = require("node:vm");
const { default: circus } = require("jest-circus/runner");
const { writeCoverage } = require("./coverage");
const { childSeconds, processorSeconds, speed } = require("./calibration");
const { removeTemporaryFolders, watchTemporaryFolders } = require("./temporary-folders");

/**
 * The number of turns of the event loop in which closed handles may end. Then at most two minutes, which only a suite
 * with open handles uses: on a busy machine, a program needs time to end.
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
 * The bytes of code after which V8 optimizes a function, instead of 132 KiB of JavaScript and 1.8 MB of the
 * WebAssembly of undici's parser. Most code of a suite runs only for a short time. This saves 6 to 7 % of the
 * processor's time of a folder of small suites.
 */
v8.setFlagsFromString("--wasm-tiering-budget=1000000000");
// V8 of later releases counts calls, and prints an error about this flag.
if (process.versions.node.startsWith("20.")) v8.setFlagsFromString("--interrupt-budget=400000");
v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc");
watchTemporaryFolders();

/** Whether the run prints the times of suites. */
const isTimed = process.env.STEWARD_TEST_TIMES !== undefined;

/** The message of Jest to a worker without further work: jest-worker's CHILD_MESSAGE_END. */
const END = 2;
// By default, a worker ends when it has no open handles, and is killed half a second later. That is too early on a
// busy machine with much memory. `stillOpen` finds the open handles of suites.
if (process.send) process.on("message", ([kind]) => kind === END && process.exit());

/**
 * Runs a suite with Jest's own runner. Adds its open handles (open-handles-reporter.js) to its result, and on request
 * its processor time (times-reporter.js).
 */
module.exports = async (globalConfig, config, environment, runtime, ...args) => {
  const open = process.getActiveResourcesInfo();
  const times = isTimed ? startTimes(runtime) : undefined;
  // The suite runs in a separate turn. Otherwise, Jest would show this line as the source of each error without a
  // line in a test.
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

/** Returns the kinds of new open handles that keep a process from ending. */
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
