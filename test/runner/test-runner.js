const v8 = require("node:v8");
const vm = require("node:vm");
const { default: circus } = require("jest-circus/runner");
const { writeCoverage } = require("./coverage");
const { childSeconds, processorSeconds, speed } = require("./calibration");
const { removeTemporaryFolders, watchTemporaryFolders } = require("./temporary-folders");

/**
 * The time that closed handles have to end. First, the runner waits for 20 turns of the event loop. If handles are still
 * open, it waits for up to two minutes, because a program needs time to end on a busy machine.
 */
const TURNS = 20;
const LATE_TURNS = 2_400;
const LATE_TURN_MILLISECONDS = 50;
/**
 * If more bytes are in use after a suite, the worker collects its garbage. About 100 MB are really needed. The size of the
 * heap would be misleading, because it always includes 128 MB for new objects.
 */
const MOST_BYTES = 300e6;

/**
 * Makes V8 optimize functions later, after more executed bytes of code. The default is 132 KiB for JavaScript and 1.8
 * MB for the WebAssembly of undici's parser. Most code of a suite runs only for a short time, so optimizing it is not
 * worthwhile. The later optimization saves 6 to 7 % of the processor time of small suites.
 */
v8.setFlagsFromString("--wasm-tiering-budget=1000000000");
// Only Node 20 gets this flag. Later releases of V8 count calls instead of bytes, and print an error about the flag.
if (process.versions.node.startsWith("20.")) v8.setFlagsFromString("--interrupt-budget=400000");
v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc");
watchTemporaryFolders();

/** True if the run prints the times of suites. */
const isTimed = process.env.STEWARD_TEST_TIMES !== undefined;

/** The kind of message that Jest sends to a worker when no work is left: CHILD_MESSAGE_END of jest-worker. */
const END = 2;
// The worker exits at this message. By default, the worker would end only when it has no open handles. Jest would then
// kill it half a second later, which is too early on a busy machine. `stillOpen` finds handles that suites leave open.
if (process.send) process.on("message", ([kind]) => kind === END && process.exit());

/**
 * Runs a suite with Jest's own runner. Adds the handles that the suite left open (see open-handles-reporter.js) to the
 * result, and on request its processor time (see times-reporter.js).
 */
module.exports = async (globalConfig, config, environment, runtime, ...args) => {
  const open = process.getActiveResourcesInfo();
  const times = isTimed ? startTimes(runtime) : undefined;
  // The suite runs in a separate turn of the event loop. Otherwise, Jest would show this line for each error that has no line
  // in a test.
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

/**
 * Starts to measure a suite. Returns a function that ends the measurement, and returns the processor time in seconds and the
 * speed of the processor.
 */
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
