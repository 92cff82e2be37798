const { writeFileSync } = require("node:fs");
const { ModuleMocker } = require("jest-mock");
const { takeFromPrograms } = require("./worker-options");

takeFromPrograms();

/** The property in which Circus keeps the tests of a suite. */
const OF_CIRCUS = new Set(["EVENT_HANDLERS", "JEST_STATE_SYMBOL", "RETRY_TIMES_SETTER"]);

/** The connections of `fetch`: undici keeps them, and what it knows of each address, for the rest of the process. */
const CONNECTIONS = Symbol.for("undici.globalDispatcher.1");

function replaceConnections() {
  const connections = globalThis[CONNECTIONS];
  if (connections === undefined) return;
  globalThis[CONNECTIONS] = new connections.constructor();
  connections.close().catch(() => {});
}

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
/** Milliseconds after which a test or hook that still waits is named, and again after each such span. */
const PATIENCE = 60_000;

/** The events of Circus without a wait after them. */
const ENDS = new Set(["test_fn_success", "test_fn_failure", "hook_success", "hook_failure"]);

/** The titles of a test and of what it lies in. */
function titleOf({ name, parent }) {
  return parent === undefined || parent.name === "ROOT_DESCRIBE_BLOCK" ? name : `${titleOf(parent)} ${name}`;
}

/** Ends the process at the first failure where STEWARD_FIRST_FAILURE names a file for it: a mutant needs no second one. */
function stopAtFirstFailure(test) {
  const file = process.env.STEWARD_FIRST_FAILURE;
  if (file === undefined) return;
  writeFileSync(file, JSON.stringify({ suite: globalThis.expect?.getState().testPath, test: titleOf(test) }));
  process.exit(1);
}

/**
 * The global world of a worker, in which all its suites run one after the other (runtime.js explains why). Each
 * suite's changes are reverted at its end: environment variables, the folder, the exit code, and the globals of Jest.
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
    replaceConnections();
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (OF_CIRCUS.has(symbol.description)) delete globalThis[symbol];
    }
  }

  /**
   * Circus sends its events here. Time limits of a suite, a test or a hook are ignored. The limit of jest.config.js
   * holds for all, so that a busy machine fails none. A test that waits for long is named instead.
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

  /** Jest asks for it; nothing of ours runs in another context. */
  getVmContext() {
    return null;
  }
}

module.exports = WorkerEnvironment;
