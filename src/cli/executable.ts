import path from "node:path";
import { codeCacheOf, PLUGIN, PROGRAM } from "./bundles";
import { embedded } from "./embedded";
import { type Program, runProgram } from "./run-program";

// The main program of the single executable. It runs the provider if it starts under the provider's name, otherwise the command.
// The executable contains the code of both. If it was built on its own platform, it also contains their compiled code.

/** Error messages name this folder, which does not exist. */
const FOLDER = path.join(path.dirname(process.execPath), "steward");

function load<Exports>(name: string): Exports {
  return runner().runScript(
    {
      text: embedded(name)!.toString(),
      filename: path.join(FOLDER, name),
      cachedData: embedded(codeCacheOf(name)),
    },
    FOLDER,
    require,
  ).exports as Exports;
}

/** Loaded on demand: `--version` needs no program. */
function runner() {
  const loaded: typeof import("./run-script") = require("./run-script");
  return loaded;
}

/** Terraform and OpenTofu start a provider by its file name, without arguments, and set this variable. */
const isNamedProvider = [process.argv0, process.execPath].some((file) =>
  path.basename(file).startsWith("terraform-provider-"),
);
const isStartedAsProvider = process.env["TF_PLUGIN_MAGIC_COOKIE"] !== undefined && process.argv.length === 2;

if (isNamedProvider || isStartedAsProvider) {
  const { loaded } = load<typeof import("./plugin-program")>(PLUGIN);
  void loaded.then(runner().optimizeLater);
} else {
  runProgram(() => {
    const program = load<Program>(PROGRAM);
    runner().optimizeLater();
    return program;
  });
}
