import { transformSync } from "@swc/core";
import type { AdoptedFile } from "../../../src/adopt";

/** Runs a written app in this process; its stack is synthesized into `output`. */
export function synthesize(files: readonly AdoptedFile[], output: string): void {
  const before = process.env["CDKTF_OUTDIR"];
  process.env["CDKTF_OUTDIR"] = output;
  try {
    load("main.ts", files);
  } finally {
    if (before === undefined) delete process.env["CDKTF_OUTDIR"];
    else process.env["CDKTF_OUTDIR"] = before;
  }
}

function load(name: string, files: readonly AdoptedFile[]): unknown {
  const { code } = transformSync(files.find(({ path }) => path === name)!.text, {
    jsc: { target: "es2022", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  });
  const module = { exports: {} };
  const requireFrom = (request: string): unknown =>
    request.startsWith("./") ? load(`${request.slice(2)}.ts`, files) : require(request);
  new Function("require", "module", "exports", code)(requireFrom, module, module.exports);
  return module.exports;
}
