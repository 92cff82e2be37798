// Writes the npm packages into dist/packages, or into the folder that is given as argument. From one build, it makes a
// package for each library of constructs. docs/decisions/0024-one-package-per-library.md has the reasons.
const { execFileSync } = require("node:child_process");
const { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { failed, root } = require("../bundle");
const { bundleVendored, requireVendored } = require("./vendored");
const { FAMILIES, inFamily } = require("./families");
const { contentsOf } = require("./contents");
const { familyManifest } = require("./manifest");
const { ownTarballs } = require("./own-tarballs");

async function main(target) {
  mkdirSync(target, { recursive: true });
  const names = FAMILIES.map(({ library }) => `${library}-provider-steward`);
  for (const old of ownTarballs(target, names)) rmSync(old);
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  await bundleVendored();
  const { files, packages } = contentsOf(manifest);
  for (const family of FAMILIES) {
    const stage = mkdtempSync(path.join(tmpdir(), "steward-pack-"));
    try {
      for (const file of files) copy(file, stage, family);
      write(
        stage,
        "package.json",
        `${JSON.stringify(familyManifest(manifest, family, packages), undefined, 2)}\n`,
      );
      process.stdout.write(`${path.join(target, tarball(stage, target))}\n`);
    } finally {
      rmSync(stage, { recursive: true });
    }
  }
}

function copy(file, stage, family) {
  const source = path.join(root, file);
  const isText = /\.(?:[cm]?[jt]s|json|md|ya?ml|txt)$/.test(file);
  if (!isText) return write(stage, file, readFileSync(source));
  const text = requireVendored(file, readFileSync(source, "utf8"));
  // The packages have no source maps, so comments that refer to them are removed.
  write(stage, file, inFamily(family, file, text.replace(/\n\/\/# sourceMappingURL=\S+\.map\s*$/, "\n")));
}

function write(stage, file, contents) {
  mkdirSync(path.dirname(path.join(stage, file)), { recursive: true });
  writeFileSync(path.join(stage, file), contents);
}

/** Calls the npm that runs this script, or else the npm on the PATH. */
function tarball(stage, target) {
  const { npm_execpath: npm } = process.env;
  const words = ["pack", "--ignore-scripts", "--silent", "--pack-destination", target];
  const options = { cwd: stage, encoding: "utf8" };
  const isNpm = npm?.endsWith(".js") && path.basename(npm).startsWith("npm");
  const printed = isNpm
    ? execFileSync(process.execPath, [npm, ...words], options)
    : execFileSync("npm", words, { ...options, shell: process.platform === "win32" });
  return printed.trim().split("\n").at(-1);
}

main(path.resolve(process.argv[2] ?? path.join(root, "dist", "packages"))).catch(failed);
