import { build } from "esbuild";

/** Puts a program and everything that it needs into one file that Node runs. */
export async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: true,
    // Names stand in errors.
    keepNames: true,
    logLevel: "error",
  });
}
