// Writes the provider as one executable, with Node in it, for a machine that has none: for the system and processor that
// this runs on. `steward mirror DIR --executable FILE` hands it out.
const { execFileSync } = require("node:child_process");
const {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { inject } = require("postject");
const { failed, root } = require("../bundle");

/** By this text Node knows that something was put into its executable; it stands in Node's documentation. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const RESOURCE = "NODE_SEA_BLOB";
const isMac = process.platform === "darwin";
const NAME = process.platform === "win32" ? "terraform-provider-steward.exe" : "terraform-provider-steward";

/** What Node reads at its start in place of a script: the provider, and what V8 compiled of it. */
function prepare(folder) {
  const output = path.join(folder, "provider.blob");
  const configuration = path.join(folder, "configuration.json");
  const main = path.join(root, "dist", "bundle", "plugin.js");
  writeFileSync(
    configuration,
    JSON.stringify({ main, output, disableExperimentalSEAWarning: true, useCodeCache: true }),
  );
  execFileSync(process.execPath, ["--experimental-sea-config", configuration], { stdio: "ignore" });
  return readFileSync(output);
}

async function main(target = path.join(root, "dist", "executable", NAME)) {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-executable-"));
  try {
    const program = prepare(folder);
    const built = path.join(folder, NAME);
    copyFileSync(process.execPath, built);
    chmodSync(built, 0o755);
    // A signature of the file as it was would keep macOS from starting it.
    if (isMac) execFileSync("codesign", ["--remove-signature", built]);
    await inject(built, RESOURCE, program, {
      sentinelFuse: FUSE,
      ...(isMac && { machoSegmentName: "NODE_SEA" }),
    });
    if (isMac) execFileSync("codesign", ["--sign", "-", built]);
    mkdirSync(path.dirname(path.resolve(target)), { recursive: true });
    copyFileSync(built, target);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const megabytes = Math.round(statSync(target).size / 1e6);
  process.stdout.write(`${target}: ${megabytes} MB, with Node ${process.version}\n`);
}

main(process.argv[2]).catch(failed);
