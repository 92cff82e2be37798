// Replaces node:module in the sources. The replacement loads modules from the simulated disk.
import vm from "node:vm";
import { absolute, disk } from "./disk";

export { isBuiltin } from "node:module";

/** Loads a JavaScript module that imports nothing. */
function requireFile(file: string): unknown {
  const module = { exports: {} };
  const text = disk().volume.get(absolute(file), "open").content.toString();
  vm.runInThisContext(`(module, exports) => {${text}\n}`)(module, module.exports);
  return module.exports;
}

const resolve = (name: string): never => {
  throw new Error(`${name} is not simulated`);
};

export const createRequire = (_from: string) => Object.assign(requireFile, { cache: {}, resolve });
