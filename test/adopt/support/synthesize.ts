import { transformSync } from "@swc/core";
import type { AdoptedFile } from "../../../src/adopt";

/** Runs an app that `adopt` wrote, in this process. The app writes its stacks into the folder `output`. */
export function synthesize(files: readonly AdoptedFile[], output: string): void {
  const before = process.env["CDKTF_OUTDIR"];
  process.env["CDKTF_OUTDIR"] = output;
  try {
    load("main.ts", files, {});
  } finally {
    if (before === undefined) delete process.env["CDKTF_OUTDIR"];
    else process.env["CDKTF_OUTDIR"] = before;
  }
}

/** The modules that an app gets instead of installed packages, by name. */
type Replacements = Readonly<Record<string, unknown>>;

/**
 * Compiles and runs one file of an app in this process, and returns its exports. A relative import in the file loads
 * another file of the app in the same way. The import of a package loads the replacement. If there is none, it loads the
 * installed package.
 */
export function load(
  name: string,
  files: readonly AdoptedFile[],
  replacements: Replacements,
  folder = __dirname,
): unknown {
  const { code } = transformSync(files.find(({ path }) => path === name)!.text, {
    jsc: { target: "es2022", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  });
  const module = { exports: {} };
  const requireFrom = (request: string): unknown =>
    request.startsWith("./")
      ? load(`${request.slice(2)}.ts`, files, replacements, folder)
      : (replacements[request] ?? require(request));
  new Function("require", "module", "exports", "__dirname", code)(
    requireFrom,
    module,
    module.exports,
    folder,
  );
  return module.exports;
}
