import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { CODE_CACHES, launcherFor, SCRIPT, WRITE_CODE_CACHE } from "./launcher";
import { ownPlatform } from "./platform";
import { tryProgram } from "./try-program";

export interface MirrorOptions {
  readonly program: PluginProgram;
  /** The licences of the software in the program, which are shipped with it. */
  readonly licences: string;
  /** Address of the provider, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  readonly version: string;
  /** As Terraform names them, such as `linux_amd64`. */
  readonly platforms: readonly string[];
}

/** The file of the provider's program. */
export type PluginProgram =
  /** A script for Node, without a shebang. */
  | { readonly script: string }
  /** A standalone executable. */
  | { readonly executable: string };

/**
 * Writes the plugin as a filesystem mirror in the unpacked layout of Terraform and OpenTofu, with the CLI
 * configuration that uses it for this provider's host and leaves other hosts to their registries.
 *
 * An existing version is replaced. The same program yields the same files on every machine, so that checksums
 * in lock files stay valid.
 *
 * @returns the path of the CLI configuration for TF_CLI_CONFIG_FILE
 * @throws Error if the folder can't be written, or the program does not start
 */
export async function writeMirror(folder: string, options: MirrorOptions): Promise<string> {
  const { program, licences, source, version, platforms } = options;
  const forThisPlatform = platforms.includes(ownPlatform());
  // The program is tried before anything is written.
  if ("executable" in program && forThisPlatform) await tryProgram(program.executable);
  const root = path.resolve(folder);
  const type = path.posix.basename(source);
  const packageOf = (each: string) => path.join(root, ...source.split("/"), version, each);
  const launched = `terraform-provider-${type}_v${version}`;
  for (const each of platforms) {
    const target = packageOf(each);
    mkdirSync(target, { recursive: true });
    copy(licences, path.join(target, "LICENCES.txt"), READABLE);
    if ("executable" in program) copy(program.executable, path.join(target, launched), EXECUTABLE);
    else {
      copy(program.script, path.join(target, SCRIPT), READABLE);
      write(path.join(target, launched), launcherFor(readFileSync(program.script)), EXECUTABLE);
    }
  }
  if ("script" in program && forThisPlatform) {
    mkdirSync(path.join(root, CODE_CACHES), { recursive: true });
    await tryProgram(process.execPath, [path.join(packageOf(ownPlatform()), launched), WRITE_CODE_CACHE]);
  }
  const configuration = path.join(root, `${type}.tfrc`);
  write(configuration, cliConfiguration(root, source.split("/")[0]!), READABLE);
  return configuration;
}

const READABLE = 0o644;
const EXECUTABLE = 0o755;

const write = (target: string, text: string, mode: number): void =>
  install(target, mode, (file) => writeFileSync(file, text));

const copy = (from: string, target: string, mode: number): void =>
  install(target, mode, (file) => copyFileSync(from, file, constants.COPYFILE_FICLONE));

/** Renaming keeps the file of a running program intact. */
function install(target: string, mode: number, writePackage: (file: string) => void): void {
  const beside = `${target}.${process.pid}`;
  writePackage(beside);
  chmodSync(beside, mode);
  renameSync(beside, target);
}

/** In HCL 1, which has no templates. */
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
