const { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { build } = require("esbuild");

const root = path.join(__dirname, "..");

/**
 * Puts a program into one file of `dist/bundle` for all supported releases of Node. `options` are esbuild's. `change` changes the
 * text of the file. Returns esbuild's information about the input files.
 */
async function bundle(entry, name, options, change = (text) => text) {
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
  writeWhole(target, change(ascii(outputFiles[0].text)));
  return metafile;
}

/**
 * esbuild escapes non-ASCII characters in texts, but not in comments and tagged templates, which use the meaning of
 * the escapes. A text of ASCII is read without decoding it, and takes half of the memory.
 */
const ascii = (text) =>
  text.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The file is whole at any moment: a command may be starting meanwhile. */
function writeWhole(target, contents) {
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, contents);
  renameSync(`${target}.${process.pid}`, target);
}

/** Writes the licences of this project and of the packages in a bundle next to the bundle, as required. */
function writeLicences(metafile, name) {
  const own = path.join(root, "LICENSE");
  const texts = [
    ...(existsSync(own) ? [readFileSync(own, "utf8").trim()] : []),
    ...packagesOf(metafile).map(licenceOf),
  ];
  const rule = `\n${"-".repeat(80)}\n\n`;
  writeWhole(path.join(root, "dist", "bundle", name), `${texts.join(rule)}\n`);
}

/** The folders of the packages that files of a bundle come from. */
function packagesOf(metafile) {
  const folders = Object.keys(metafile.inputs).flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? "" : `\n${readFileSync(path.join(folder, file), "utf8").trim()}\n`;
  return `${name} ${version}: ${license}\n${text}`;
}

function failed(problem) {
  process.stderr.write(`${problem.message}\n`);
  process.exitCode = 1;
}

module.exports = { bundle, failed, root, writeLicences, writeWhole };
