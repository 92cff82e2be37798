import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";
import { Script } from "node:vm";
import { openPlace } from "./support/place";
import { fakeTerminal } from "./support/terminal";

type Program = typeof import("../../src/cli/program");

const BUNDLE = path.join(__dirname, "..", "..", "dist", "bundle", "program.js");

/** Matches the places in the bundle where esbuild runs a module at its first use. */
const MODULE = /(\w+)\[__getOwnPropNames\(\1\)\[0\]\]/g;

/** Runs the bundle. Returns the program, and the set of the modules that have already run, such as `src/cli/program.ts`. */
function recordedProgram() {
  const modules = new Set<string>();
  const record = (name: string): string => {
    modules.add(name);
    return name;
  };
  const text = readFileSync(BUNDLE, "utf8").replace(MODULE, "$1[require.record(__getOwnPropNames($1)[0])]");
  const require = Object.assign(createRequire(BUNDLE), { record });
  const loaded = { exports: {} };
  const run: (...given: unknown[]) => void = new Script(Module.wrap(text), {
    filename: BUNDLE,
  }).runInThisContext();
  run(loaded.exports, require, loaded, BUNDLE, path.dirname(BUNDLE));
  return { program: loaded.exports as Program, modules };
}

/**
 * Returns the name of a file's module: `http` for `src/http/retry.ts`, `cli/views` for `src/cli/views/plan.ts`. For a file of
 * a package, returns the name of the package.
 */
const ownerOf = (module: string): string =>
  /node_modules\/([^/]+)/.exec(module)?.[1] ??
  /^src\/(cli\/[a-z-]+(?=\/)|[a-z]+)/.exec(module)?.[1] ??
  module;

/**
 * The modules and packages that a command may load, in addition to the modules of the commands listed before this command.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  version: [
    ...["cli", "cli/arguments", "cli/commands", "cli/terminal", "cli/views"],
    ...["commander", "diagnostics", "files", "plugin", "provider", "text"],
  ],
  "state list --state terraform.tfstate": [
    "cli/stack-runs",
    "engine",
    "json",
    "language",
    "schema",
    "state",
    "zod",
  ],
  "validate --config .": ["api", "framework", "http"],
  "plan --config .": [
    ...[
      "cli/difference",
      "cli/document",
      "cli/findings",
      "cli/objects",
      "cli/outputs",
      "cli/policy",
      "cli/reports",
      "undici",
    ],
  ],
  "drift --config .": [],
};

const EMPTY_STATE = {
  version: 4,
  terraform_version: "1.11.0",
  serial: 1,
  lineage: "3f1c8e52-8d3d-4f0e-9a38-0e6a3f2f7f10",
  outputs: {},
  resources: [],
};

/**
 * The only files of `plugin` and `provider` that `version` may load. These files contain the names of the platform and of
 * the provider.
 */
const OF_VERSION = ["src/plugin/mirror/platform.ts", "src/provider/source.ts"];

/** The list of report formats, which every command loads for the help. The list itself loads no report format. */
const FORMATS = "src/cli/reports/report-formats.ts";

test("each command loads the source modules in this test's list and no other source modules", async () => {
  const place = await openPlace();
  try {
    place.write("terraform.tfstate", EMPTY_STATE);
    const { program, modules } = recordedProgram();
    const allowed = new Set<string>();
    for (const [command, allowedNow] of Object.entries(ALLOWED)) {
      const terminal = fakeTerminal({ folder: place.folder, env: place.env });
      await program.run(command.split(" "), terminal);
      const { err } = terminal.written;
      for (const name of allowedNow) allowed.add(name);
      // The names with `lazy:` are stand-ins for modules of Node. Node loads these modules at their first use.
      const own = [...modules].filter((module) => !module.startsWith("lazy:") && module !== FORMATS);
      const ran = own.map(ownerOf);
      const surplus = own.filter((module) => !allowed.has(ownerOf(module)));
      const unused = allowedNow.filter((name) => !ran.includes(name));
      expect({ command, err, surplus, unused }).toEqual({ command, err: "", surplus: [], unused: [] });
      if (command === "version") {
        expect([...modules].filter((module) => /^src\/(?:plugin|provider)\//.test(module))).toEqual(
          OF_VERSION,
        );
      }
    }
  } finally {
    await place.close();
  }
});
