const v8 = require("node:v8");
const vm = require("node:vm");
const { default: circus } = require("jest-circus/runner");
const { childSeconds, processorSeconds, speed } = require("./calibration");
const { removeTemporaryFolders, watchTemporaryFolders } = require("./temporary-folders");

/** How many turns of the event loop what a suite closed has for its end; then timers of up to ten seconds may end. */
const TURNS = 20;
const LATE_TURNS = 200;
const LATE_TURN_MILLISECONDS = 50;
/**
 * Above this size of its heap, in bytes, a worker collects its garbage after a suite. About 100 MB are in use; left alone the heap grows to 600 MB,
 * and the system takes so long to take them back that the worker does not exit within the half second that Jest gives it.
 */
const HEAP = 300e6;

/**
 * After how many bytes of code V8 optimizes a function, in place of 132 KiB of JavaScript and 1.8 MB of the WebAssembly in which undici parses: most of what a
 * suite runs is done soon after. It takes 6 to 7 % off the processor's time of a folder of small suites.
 */
v8.setFlagsFromString("--interrupt-budget=400000 --wasm-tiering-budget=1000000000");
v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc");
watchTemporaryFolders();

/** How Jest tells a worker that nothing is left to do: jest-worker's CHILD_MESSAGE_END. */
const END = 2;
// Left alone, a worker ends when nothing is open any more, and is killed half a second later: too early where its memory is
// large and the machine busy. What suites leave open is found by `stillOpen`.
if (process.send) process.on("message", ([kind]) => kind === END && process.exit());

/**
 * Runs a suite with Jest's own runner. Notes in its result what it took of the processor and what it left open, which
 * budgets-reporter.js reads.
 */
module.exports = async (globalConfig, config, environment, runtime, ...rest) => {
  const speedBefore = speed();
  const open = process.getActiveResourcesInfo();
  const began = { own: processorSeconds(), children: childSeconds(), loading: runtime.loadingSeconds() };
  // In a turn of its own: Jest would show this line as the source of each error without one in a test.
  const result = await new Promise((resolve, reject) => {
    setImmediate(() => circus(globalConfig, config, environment, runtime, ...rest).then(resolve, reject));
  });
  const loading = runtime.loadingSeconds() - began.loading;
  const own = processorSeconds() - began.own - loading;
  const children = childSeconds() - began.children;
  const leftOpen = await stillOpen(open);
  removeTemporaryFolders();
  const processor = { own, children, loading, speed: (speedBefore + speed()) / 2 };
  if (process.memoryUsage().heapTotal > HEAP) collectGarbage();
  result.perfStats = { ...result.perfStats, processor, leftOpen };
  return result;
};

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
