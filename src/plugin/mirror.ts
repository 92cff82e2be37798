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
import { CODE_CACHES, launcherOf, SCRIPT, WRITE_CODE_CACHE } from "./launcher";
import { ownPlatform } from "./platform";
import { tryProgram } from "./try-program";

export interface MirrorOptions {
  readonly program: PluginProgram;
  /** A file with the licences of what the program holds, which go along with it. */
  readonly licences: string;
  /** Address of the provider, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  readonly version: string;
  /** As Terraform names them, such as `linux_amd64`. */
  readonly platforms: readonly string[];
}

/** The file of the provider's program. */
export type PluginProgram =
  /** One script that Node runs, without a first line for the shell. */
  | { readonly script: string }
  /** An executable that needs no Node. */
  | { readonly executable: string };

/**
 * Writes the plugin as a filesystem mirror in the unpacked layout that Terraform and OpenTofu read, with the CLI
 * configuration that uses it for this provider's host and leaves all others to their registries.
 *
 * A version that is there already is replaced. The same program gives the same files, whatever machine writes them, so
 * that lock files with their checksum stay good.
 *
 * @returns the path of the CLI configuration, which TF_CLI_CONFIG_FILE has to name
 * @throws Error where the folder can't be written, or the program does not start
 */
export async function writeMirror(folder: string, options: MirrorOptions): Promise<string> {
  const { program, licences, source, version, platforms } = options;
  const runsHere = platforms.includes(ownPlatform());
  // Tried before anything is written.
  if ("executable" in program && runsHere) await tryProgram(program.executable);
  const root = path.resolve(folder);
  const type = path.posix.basename(source);
  const packageOf = (each: string) => path.join(root, ...source.split("/"), version, each);
  const started = `terraform-provider-${type}_v${version}`;
  for (const each of platforms) {
    const place = packageOf(each);
    mkdirSync(place, { recursive: true });
    copy(licences, path.join(place, "LICENCES.txt"), READABLE);
    if ("executable" in program) copy(program.executable, path.join(place, started), EXECUTABLE);
    else {
      copy(program.script, path.join(place, SCRIPT), READABLE);
      write(path.join(place, started), launcherOf(readFileSync(program.script)), EXECUTABLE);
    }
  }
  if ("script" in program && runsHere) {
    mkdirSync(path.join(root, CODE_CACHES), { recursive: true });
    await tryProgram(process.execPath, [path.join(packageOf(ownPlatform()), started), WRITE_CODE_CACHE]);
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

/** A program that is running keeps its old file: the new one takes the name, not the place. */
function install(target: string, mode: number, fill: (file: string) => void): void {
  const beside = `${target}.${process.pid}`;
  fill(beside);
  chmodSync(beside, mode);
  renameSync(beside, target);
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
