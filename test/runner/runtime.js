const asyncHooks = require("node:async_hooks");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { processorSeconds } = require("./calibration");
const { whileLoading, withHits } = require("./coverage");

const ROOT = path.join(__dirname, "..", "..");
const REPLACEABLE = { configurable: true, enumerable: true, writable: true };

/**
 * Loads the modules of suites with Node's own loader, in the single global scope of the worker. Jest's own runtime
 * gives each suite a separate global scope, in which all sources and dependencies are compiled and evaluated again. For
 * most suites, this takes most of the time. This runtime loads sources and dependencies only once. The runtime loads
 * only modules of `test` and `examples` again for each suite, because they register hooks and keep state.
 */
class WorkerRuntime {
  static #loader;
  #rootDir;
  #mocker;

  constructor(config, environment, _resolver, transformer) {
    this.#rootDir = config.rootDir;
    this.#mocker = environment.moduleMocker;
    WorkerRuntime.#loader ??= new Loader(config);
    WorkerRuntime.#loader.transformer = transformer;
  }

  /** Returns the processor time, in seconds, that the worker has spent on loading the modules that its suites share. */
  loadingSeconds() {
    return WorkerRuntime.#loader.seconds;
  }

  /**
   * Loads a module of Jest itself. Circus keeps the tests of a suite in its module, so this module is loaded again for each
   * suite.
   */
  requireInternalModule(file) {
    delete require.cache[file];
    // The property is redefined, because in Node 22 it is a getter, which an assignment can't replace.
    const own = Object.getOwnPropertyDescriptor(asyncHooks, "AsyncLocalStorage");
    Object.defineProperty(asyncHooks, "AsyncLocalStorage", { ...REPLACEABLE, value: CurrentTest });
    try {
      return require(file);
    } finally {
      Object.defineProperty(asyncHooks, "AsyncLocalStorage", own);
    }
  }

  requireModule(file) {
    return require(file);
  }

  setGlobalsForRuntime() {
    globalThis.jest = {
      fn: (...words) => this.#mocker.fn(...words),
      spyOn: (...words) => this.#mocker.spyOn(...words),
      // The call has no effect: all tests have the same timeout. See environment.js.
      setTimeout: () => {},
      isolateModules: (load) => {
        this.#forget("examples");
        load();
        this.#forget("examples");
      },
    };
  }

  teardown() {
    this.#forget("examples");
    this.#forget("test");
  }

  #forget(folder) {
    const prefix = path.join(this.#rootDir, folder) + path.sep;
    for (const file of Object.keys(require.cache)) {
      if (file.startsWith(prefix) && !file.startsWith(__dirname + path.sep)) delete require.cache[file];
    }
    // In this list, Node keeps all modules that this module has ever required, so they stay in memory.
    module.children.length = 0;
  }

  getSourceMaps() {
    return WorkerRuntime.#loader.sourceMaps;
  }

  unstable_shouldLoadAsEsm() {
    return false;
  }

  enterTestCode() {}
  leaveTestCode() {}
  getAllCoverageInfoCopy() {}
}

/**
 * Replaces the AsyncLocalStorage with which Circus finds the current test. Node 20 never releases a storage, so each promise
 * would keep the storages of all earlier suites in memory. A field is enough, because tests run one after the other.
 */
class CurrentTest {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, callback) {
    const before = this.#store;
    this.#store = store;
    return Promise.resolve(callback()).finally(() => {
      this.#store = before;
    });
  }
}

const SOURCES = path.join(ROOT, "src") + path.sep;

/**
 * Returns the output of `npm run build` for a source that has not changed since the build. The source map of the compiler is
 * still correct, because its relative paths are the same from `src` and from `dist`.
 */
function compiledSource(file) {
  if (!file.startsWith(SOURCES)) return undefined;
  const compiled = path.join(ROOT, "dist", file.slice(SOURCES.length).replace(/\.ts$/, ".js"));
  const written = fs.statSync(compiled, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (written <= fs.statSync(file).mtimeMs) return undefined;
  return { code: fs.readFileSync(compiled, "utf8"), sourceMapPath: `${compiled}.map` };
}

/**
 * Extends Node's loader: it compiles TypeScript with the transformer and the cache of Jest, and resolves the names in
 * `moduleNameMapper`.
 */
class Loader {
  transformer;
  sourceMaps = new Map();
  seconds = 0;
  #codes = new Map();
  #isLoading = false;

  constructor({ rootDir, moduleNameMapper }) {
    const names = moduleNameMapper.map(([pattern, target]) => [new RegExp(pattern), target]);
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function (request, ...rest) {
      const mapped = names.find(([pattern]) => pattern.test(request));
      return resolve.call(this, mapped?.[1] ?? request, ...rest);
    };
    Module._extensions[".ts"] = (module, file) => module._compile(this.#codeOf(file), file);
    const shared = [path.join(rootDir, "src"), path.join(rootDir, "node_modules")];
    for (const extension of [".ts", ".js"]) {
      const load = Module._extensions[extension];
      Module._extensions[extension] = (module, file) =>
        shared.some((folder) => file.startsWith(folder + path.sep))
          ? this.#measure(() => load(module, file))
          : load(module, file);
    }
  }

  #codeOf(file) {
    const known = this.#codes.get(file);
    if (known !== undefined) return known;
    const instrumented = withHits(file);
    const { code, sourceMapPath } =
      instrumented === undefined
        ? (compiledSource(file) ?? this.transformer.transform(file, {}))
        : this.transformer.transform(file, {}, instrumented);
    if (sourceMapPath) this.sourceMaps.set(file, sourceMapPath);
    this.#codes.set(file, code);
    return code;
  }

  #measure(load) {
    if (this.#isLoading) return load();
    const before = processorSeconds();
    this.#isLoading = true;
    try {
      return whileLoading(load);
    } finally {
      this.#isLoading = false;
      this.seconds += processorSeconds() - before;
    }
  }
}

module.exports = WorkerRuntime;
