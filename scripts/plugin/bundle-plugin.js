// Writes the provider that Terraform and OpenTofu start, with all that it needs, as one file: dist/bundle/plugin.js. It
// leaves this package, so the licences of what it holds go with it: dist/bundle/plugin-licences.txt.
const { existsSync, readFileSync, readdirSync } = require("node:fs");
const path = require("node:path");
const { bundle, failed, root, writeWhole } = require("../bundle");

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

async function main() {
  const metafile = await bundle(path.join("cli", "plugin-program.ts"), "plugin.js", {
    minify: true,
    // Names stand in errors.
    keepNames: true,
    legalComments: "none",
  });
  const own = path.join(root, "LICENSE");
  const texts = [
    ...(existsSync(own) ? [readFileSync(own, "utf8").trim()] : []),
    ...packagesOf(metafile).map(licenceOf),
  ];
  const rule = `\n${"-".repeat(80)}\n\n`;
  writeWhole(path.join(root, "dist", "bundle", "plugin-licences.txt"), `${texts.join(rule)}\n`);
}

process.chdir(root);
main().catch(failed);
