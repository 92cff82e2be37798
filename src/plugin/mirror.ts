import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import path from "node:path";
import { LAUNCHER, PROGRAM, WRITE_CODE_CACHE } from "./launcher";
import { createIdentity } from "./transport/certificate";
import { handshakeEnvironment } from "./transport/handshake";

export interface MirrorOptions {
  /** The provider's program in one script, without a first line for the shell. */
  readonly program: string;
  /** Address of the provider, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  readonly version: string;
  /** As Terraform names them, such as `linux_amd64`; this machine's where left out. */
  readonly platforms?: readonly string[];
}

/**
 * Writes the plugin, to be run by Node, as a filesystem mirror in the unpacked layout that Terraform and OpenTofu read,
 * with the CLI configuration that uses it for this provider's host and leaves all others to their registries.
 *
 * A version that is there already is replaced; lock files that know its checksum then have to be made anew.
 *
 * @returns the path of the CLI configuration, which TF_CLI_CONFIG_FILE has to name
 * @throws Error where the folder can't be written, or the program does not start
 */
export async function writeMirror(folder: string, options: MirrorOptions): Promise<string> {
  const { program, source, version, platforms = [ownPlatform()] } = options;
  const root = path.resolve(folder);
  const type = path.posix.basename(source);
  for (const each of platforms) {
    const place = path.join(root, ...source.split("/"), version, each);
    mkdirSync(place, { recursive: true });
    const launcher = path.join(place, `terraform-provider-${type}_v${version}`);
    install(path.join(place, PROGRAM), (file) => copyFileSync(program, file));
    install(launcher, (file) => writeFileSync(file, LAUNCHER, { mode: 0o755 }));
    // What V8 compiles is of use to its own kind alone.
    if (each === ownPlatform()) await compile(launcher);
  }
  const configuration = path.join(root, `${type}.tfrc`);
  writeFileSync(configuration, cliConfiguration(root, source.split("/")[0]!));
  return configuration;
}

/** A program that is running keeps its old file: the new one takes the name, not the place. */
function install(target: string, write: (file: string) => void): void {
  const beside = `${target}.new`;
  write(beside);
  renameSync(beside, target);
}

/** Starts the program once as Terraform would, and keeps beside it what V8 compiled of it. */
async function compile(launcher: string): Promise<void> {
  const child = spawn(process.execPath, [launcher, WRITE_CODE_CACHE], {
    env: { ...process.env, ...handshakeEnvironment(createIdentity().certificatePem) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended]);
  child.kill("SIGTERM");
  const [code, signal] = (await ended) as [number | null, string | null];
  if (code !== 0)
    throw new Error(`The provider in ${launcher} does not start: it ended with ${code ?? signal}.`);
}

/** In the first generation of HCL, which knows no templates. */
const cliConfiguration = (root: string, host: string): string => `provider_installation {
  filesystem_mirror {
    path    = ${JSON.stringify(root)}
    include = ["${host}/*/*"]
  }
  direct {
    exclude = ["${host}/*/*"]
  }
}
`;

const SYSTEMS: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** This machine's platform by the names that Go has for it. */
function ownPlatform(): string {
  const [system, processor] = [platform(), arch()];
  return `${SYSTEMS[system] ?? system}_${ARCHITECTURES[processor] ?? processor}`;
}
