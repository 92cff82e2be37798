const { writeFileSync } = require("node:fs");
const { ModuleMocker } = require("jest-mock");
const { takeFromPrograms } = require("./worker-options");

takeFromPrograms();

/** The descriptions of the global symbols under which Circus keeps the tests of a suite. */
const OF_CIRCUS = new Set(["EVENT_HANDLERS", "JEST_STATE_SYMBOL", "RETRY_TIMES_SETTER"]);

/**
 * The global symbol of the dispatcher of `fetch`. undici keeps its connections, and data about each address, until the
 * process ends.
 */
const CONNECTIONS = Symbol.for("undici.globalDispatcher.1");

function replaceConnections() {
  const connections = globalThis[CONNECTIONS];
  if (connections === undefined) return;
  globalThis[CONNECTIONS] = new connections.constructor();
  connections.close().catch(() => {});
}

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
/** The interval, in milliseconds, after which the name of a test or hook that is still waiting is printed. */
const PATIENCE = 60_000;

/** The events of Circus that end a test function or a hook. */
const ENDS = new Set(["test_fn_success", "test_fn_failure", "hook_success", "hook_failure"]);

/** Returns the title of a test, preceded by the titles of the `describe` blocks around it. */
function titleOf({ name, parent }) {
  return parent === undefined || parent.name === "ROOT_DESCRIBE_BLOCK" ? name : `${titleOf(parent)} ${name}`;
}

/**
 * If STEWARD_FIRST_FAILURE is the path of a file, writes the first failed test to this file and ends the process. A run
 * with a mutant needs only one failure.
 */
function stopAtFirstFailure(test) {
  const file = process.env.STEWARD_FIRST_FAILURE;
  if (file === undefined) return;
  writeFileSync(file, JSON.stringify({ suite: globalThis.expect?.getState().testPath, test: titleOf(test) }));
  process.exit(1);
}

/**
 * The Jest environment of a worker. All suites of the worker run one after the other in the same global scope
 * (runtime.js explains why). After each suite, the environment restores the environment variables, the working folder,
 * the exit code, and the globals of Jest.
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

  #waiting;

  async setup() {
    // Jest has just set this to 100, with which each error takes ten times as long.
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
    replaceConnections();
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (OF_CIRCUS.has(symbol.description)) delete globalThis[symbol];
    }
  }

  /**
   * Receives the events of Circus. Timeouts of a suite, a test or a hook are ignored, so that no test fails only because the
   * machine is busy. Only the timeout of jest.config.js applies. The names of tests that wait for long are printed instead.
   */
  handleTestEvent({ name, test, hook }, state) {
    if (name === "test_start") test.timeout = undefined;
    if (name === "hook_start") hook.timeout = undefined;
    if (name === "test_fn_start" || name === "hook_start") this.#watch(test ?? state.currentlyRunningTest);
    if (ENDS.has(name)) stopTimer(this.#waiting);
    if (name === "test_done" && test.errors.length > 0) stopAtFirstFailure(test);
  }

  #watch(test, minutes = 1) {
    stopTimer(this.#waiting);
    this.#waiting = startTimer(() => {
      const title = test === null || test === undefined ? "A hook of a suite" : titleOf(test);
      process.stderr.write(`${title}: not ended after ${minutes} min, still waiting.\n`);
      this.#watch(test, minutes + 1);
    }, PATIENCE);
    this.#waiting.unref();
  }

  exportConditions() {
    return ["node", "node-addons"];
  }

  /** Jest calls this method. The result is null, because no code runs in a separate context. */
  getVmContext() {
    return null;
  }
}

module.exports = WorkerEnvironment;
