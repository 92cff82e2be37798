const { ModuleMocker } = require("jest-mock");

/** Where Circus keeps the tests of a suite. */
const OF_CIRCUS = new Set(["EVENT_HANDLERS", "JEST_STATE_SYMBOL", "RETRY_TIMES_SETTER"]);

/**
 * The global world of a worker, in which all its suites run one after the other (runtime.js says why). What a suite leaves in it
 * is put back when it ends: the environment's variables, the folder, the exit code, and whatever Jest itself sets.
 */
class WorkerEnvironment {
  global = globalThis;
  fakeTimers = null;
  fakeTimersModern = null;
  moduleMocker = new ModuleMocker(globalThis);
  #before = {
    console: globalThis.console,
    env: { ...process.env },
    exit: process.exit,
    exitCode: process.exitCode,
    folder: process.cwd(),
    stackTraceLimit: Error.stackTraceLimit,
    prepareStackTrace: Error.prepareStackTrace,
  };

  async setup() {
    // Jest has just set a hundred, which makes each error ten times as dear.
    Error.stackTraceLimit = 10;
  }

  async teardown() {
    const { console, env, exit, exitCode, folder, stackTraceLimit, prepareStackTrace } = this.#before;
    globalThis.console = console;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    for (const [name, value] of Object.entries(env))
      if (process.env[name] !== value) process.env[name] = value;
    process.exit = exit;
    process.exitCode = exitCode;
    if (process.cwd() !== folder) process.chdir(folder);
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
    this.moduleMocker.restoreAllMocks();
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (OF_CIRCUS.has(symbol.description)) delete globalThis[symbol];
    }
  }

  exportConditions() {
    return ["node", "node-addons"];
  }

  /** Jest asks for it; nothing of ours runs in another context. */
  getVmContext() {
    return null;
  }
}

module.exports = WorkerEnvironment;
