const { mkdirSync, renameSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { build } = require("esbuild");

const root = path.join(__dirname, "..");

/**
 * Puts a program into one file of `dist/bundle` for all releases of Node that are supported. `options` are esbuild's.
 * Answers with what esbuild knows of the files that went into it.
 */
async function bundle(entry, name, options) {
  const target = path.join(root, "dist", "bundle", name);
  const { outputFiles, metafile } = await build({
    entryPoints: [path.join(root, "src", entry)],
    outfile: target,
    write: false,
    metafile: true,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "warning",
    ...options,
  });
  writeWhole(target, outputFiles[0].contents);
  return metafile;
}

/** The file is whole at any moment: a command may be starting meanwhile. */
function writeWhole(target, contents) {
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, contents);
  renameSync(`${target}.${process.pid}`, target);
}

function failed(problem) {
  process.stderr.write(`${problem.message}\n`);
  process.exitCode = 1;
}

module.exports = { bundle, failed, root, writeWhole };
