import path from "node:path";
import { codeCacheOf, PLUGIN, PROGRAM } from "./bundles";
import { embedded } from "./embedded";
import { type Program, runProgram } from "./run-program";

// The main program of the single executable. If the executable has the name of a provider, the executable runs the provider.
// Otherwise, the executable runs the command. The executable contains the code of the command and of the provider. An
// executable that was built on its target platform also contains V8 code caches for this code.

/** The folder of the embedded code in stack traces. No such folder exists on the disk. */
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

/** Loads the module `run-script` and returns it. The module is loaded only on use, because `--version` does not need it. */
function runner() {
  const loaded: typeof import("./run-script") = require("./run-script");
  return loaded;
}

/**
 * Whether the executable has the name of a provider. Terraform and OpenTofu start a provider without arguments, and set
 * TF_PLUGIN_MAGIC_COOKIE.
 */
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
