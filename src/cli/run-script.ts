import Module from "node:module";
import { setFlagsFromString } from "node:v8";
import { constants, Script } from "node:vm";

/**
 * Makes V8 optimize functions later. V8 optimizes a function after a number of bytes of its code have run. V8 counts the bytes
 * of JavaScript, and of the WebAssembly with which undici parses responses. In Node 20, the default numbers of bytes are 132
 * KiB for JavaScript and 1.8 MB for WebAssembly. With these defaults, V8 spends a third of a plan's processor time on the
 * optimization of functions that do not run much longer.
 *
 * Call this function once the program is loaded. A code cache is valid only with the flags under which it was written. Node
 * also has a code cache for its own modules. If the flags change before the program is loaded, Node compiles its modules again.
 */
export function optimizeLater(): void {
  setFlagsFromString("--wasm-tiering-budget=1000000000");
  // Node 22 has V8 12, which counts calls instead of bytes and has another flag. V8 prints an error for an unknown flag.
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString("--interrupt-budget=1000000");
}

/** The text of a CommonJS module that `runScript` runs. */
export interface ModuleText {
  readonly text: string;
  readonly filename: string;
  /** The code cache of this text. V8 rejects a code cache that was written for another text, or by another release of Node. */
  readonly cachedData: Buffer | undefined;
}

/** Runs a module like `require`, and also returns the compiled script. The module gets the given function as its `require`. */
export function runScript(
  { text, filename, cachedData }: ModuleText,
  folder: string,
  require: NodeJS.Require,
): { readonly script: Script; readonly exports: unknown } {
  const script = new Script(Module.wrap(text), {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  });
  const loaded = { exports: {} };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(loaded.exports, require, loaded, filename, folder);
  return { script, exports: loaded.exports };
}
