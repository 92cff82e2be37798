const { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { build } = require("esbuild");

const root = path.join(__dirname, "..");

/**
 * Bundles a program into one file of `dist/bundle`, for all supported releases of Node. `options` are options of
 * esbuild. `change` changes the text of the file. Returns esbuild's information about the input files.
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
 * Escapes the non-ASCII characters that esbuild leaves in comments and tagged templates. The tagged templates here mean
 * the same with escapes. For a text of only ASCII characters, V8 needs no decoding and only half of the memory.
 */
const ascii = (text) =>
  text.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Writes a file in one step by a rename, because a command may be loading the file at this moment. */
function writeWhole(target, contents) {
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, contents);
  renameSync(`${target}.${process.pid}`, target);
}

/**
 * Writes a file with the licences of this project and of the packages in a bundle. The licences require that their
 * texts accompany the bundle.
 */
function writeLicences(metafile, name) {
  const own = path.join(root, "LICENSE");
  const texts = [
    ...(existsSync(own) ? [readFileSync(own, "utf8").trim()] : []),
    ...packagesOf(metafile).map(licenceOf),
  ];
  const rule = `\n${"-".repeat(80)}\n\n`;
  writeWhole(path.join(root, "dist", "bundle", name), `${texts.join(rule)}\n`);
}

/** Returns the folders of the packages whose files a bundle contains. */
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
