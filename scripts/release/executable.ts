import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PLUGIN, PLUGIN_LICENCES, PROGRAM } from "../../src/cli/bundles";
import { ownPlatform } from "../../src/plugin";
import { tryProgram } from "../../src/plugin/mirror/try-program";
import { NODE_VERSION, nodeLicence, nodeProgram } from "./node-release";

const root = path.join(__dirname, "..", "..");
const inBundle = (name: string) => path.join(root, "dist", "bundle", name);
const inScripts = (name: string) => path.join(root, "scripts", name);

const MAIN = "executable.js";
const PROGRAM_LICENCES = "executable-licences.txt";

/** Returns the file name of the executable for a platform. */
export const commandName = (version: string, platform: string): string =>
  `steward_${version}_${platform}${platform.startsWith("windows_") ? ".exe" : ""}`;

/** Returns the licences of all software in the executables. */
export const licencesOfExecutable = (): string =>
  `${readFileSync(inBundle(PROGRAM_LICENCES), "utf8")}\n${"-".repeat(80)}\n\nNode.js ${NODE_VERSION}\n\n${nodeLicence()}`;

/**
 * Makes the parts of the executables from the output of `npm run build`. Also writes V8's compiled code, which only
 * executables for this platform can use.
 */
export async function prepareExecutables(): Promise<void> {
  execFileSync(process.execPath, [inScripts("bundle-executable.js")], { stdio: "inherit" });
  const node = nodeProgram(ownPlatform());
  execFileSync(node, [inScripts("write-code-cache.js"), PROGRAM], { stdio: "inherit" });
  await tryProgram(node, [inScripts("write-plugin-code-cache.js")]);
}

/**
 * Returns the code caches of an executable. Executables for other platforms have no code caches, because V8 might not
 * notice that a cache does not fit.
 */
function codeCaches(platform: string): readonly string[] {
  if (platform !== ownPlatform()) return [];
  return [PROGRAM, PLUGIN].map((name) => `${name}.v${NODE_VERSION}-${process.arch}.cache`);
}

/** Writes the executable for a platform. All executables have the same release of Node. */
export function buildExecutable(platform: string, target: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-executable-"));
  try {
    const licences = path.join(folder, "licences.txt");
    writeFileSync(licences, licencesOfExecutable());
    const bundled = [PROGRAM, PLUGIN, PLUGIN_LICENCES, ...codeCaches(platform)];
    const assets = {
      ...Object.fromEntries(bundled.map((name) => [name, inBundle(name)])),
      "package.json": path.join(root, "package.json"),
      "licences.txt": licences,
    };
    const output = path.join(folder, "built");
    const configuration = path.join(folder, "configuration.json");
    writeFileSync(
      configuration,
      JSON.stringify({
        main: inBundle(MAIN),
        mainFormat: "commonjs",
        executable: nodeProgram(platform),
        output,
        assets,
        disableExperimentalSEAWarning: true,
        useCodeCache: platform === ownPlatform(),
      }),
    );
    execFileSync(nodeProgram(ownPlatform()), ["--build-sea", configuration], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    // macOS refuses to start a program whose signature does not match the program.
    if (process.platform === "darwin" && platform.startsWith("darwin_"))
      execFileSync("codesign", ["--force", "--sign", "-", output]);
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(output, target);
    chmodSync(target, 0o755);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
