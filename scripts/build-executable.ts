// Builds the single executable, which contains the command, the provider and Node. Builds it for this platform, or for
// a named one:   tsx scripts/build-executable.ts [OS_ARCH [FILE]]
import path from "node:path";
import { packageVersion } from "../src/cli/version";
import { ownPlatform } from "../src/plugin";
import { withChecksum } from "./release/checksum";
import { buildExecutable, commandName, prepareExecutables } from "./release/executable";
import { NODE_VERSION } from "./release/node-release";

const FOLDER = path.join(__dirname, "..", "dist", "executable");

async function main(platform = ownPlatform(), file?: string): Promise<void> {
  const target = path.resolve(file ?? path.join(FOLDER, commandName(packageVersion(), platform)));
  await prepareExecutables();
  buildExecutable(platform, target);
  process.stdout.write(`${withChecksum(target)}, with Node v${NODE_VERSION}\n`);
}

main(...process.argv.slice(2)).catch((problem: Error) => {
  process.stderr.write(`${problem.message}\n`);
  process.exitCode = 1;
});
