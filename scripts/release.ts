// Writes a release. `npm run release -- --help` explains the options.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { packageVersion } from "../src/cli/version";
import { withChecksum } from "./release/checksum";
import { buildExecutable, commandName, licencesOfExecutable, prepareExecutables } from "./release/executable";
import { NODE_VERSION } from "./release/node-release";
import { readOptions, USAGE } from "./release/options";
import { writeRegistryFiles } from "./release/registry-files";
import { sign } from "./release/sign";

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(words: readonly string[]): Promise<void> {
  if (words.includes("--help")) return void process.stdout.write(USAGE);
  const { platforms, out, key } = readOptions(words, process.env);
  const folder = path.resolve(out ?? path.join(__dirname, "..", "dist", "release"));
  const version = packageVersion();
  await prepareExecutables();
  mkdirSync(folder, { recursive: true });
  removeEarlierRelease(folder);
  const executables = new Map<string, string>();
  for (const platform of platforms) {
    const file = path.join(folder, commandName(version, platform));
    buildExecutable(platform, file);
    executables.set(platform, file);
    say(`${withChecksum(file)}, with Node v${NODE_VERSION}`);
  }
  writeFileSync(path.join(folder, `steward_${version}_LICENCES.txt`), licencesOfExecutable());
  const checksums = writeRegistryFiles(folder, version, executables);
  say(`${checksums}: ${statSync(checksums).size} bytes`);
  if (key === undefined) {
    process.stderr.write(
      "The release is NOT SIGNED: no key was given. Provider registries refuse it. Set GPG_KEY, or give --gpg-key or --key.\n",
    );
  } else say(`${checksums}.sig: signed by ${sign(checksums, key)}`);
  unsignedForMacOs(platforms);
}

/** Removes the files of an earlier release, so that they are not published with the new files. */
function removeEarlierRelease(folder: string): void {
  const names = readdirSync(folder).filter((name) => /^(?:terraform-provider-)?steward_\d/.test(name));
  for (const name of names) rmSync(path.join(folder, name));
}

/** Warns if executables for macOS are not signed, because only macOS can sign them. */
function unsignedForMacOs(platforms: readonly string[]): void {
  const found = platforms.filter((platform) => platform.startsWith("darwin_"));
  if (found.length === 0 || process.platform === "darwin") return;
  process.stderr.write(
    `The executables for ${found.join(" and ")} have NO CODE SIGNATURE, without which macOS on Apple silicon does not start them. ` +
      "Make the release on macOS, or sign them there: codesign --force --sign - FILE.\n",
  );
}

main(process.argv.slice(2)).catch((problem: Error) => {
  process.stderr.write(`${problem.message}\n`);
  process.exitCode = 1;
});
