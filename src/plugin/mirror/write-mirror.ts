import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CODE_CACHES, launcherFor, SCRIPT, WRITE_CODE_CACHE } from "./launcher";
import { type Archive, indexOf, versionFile, versionText } from "./network-mirror";
import { ownPlatform } from "./platform";
import {
  executableName,
  lockHashes,
  modeOf,
  type PackageFile,
  zipName,
  zipPackage,
} from "./provider-package";
import { tryProgram } from "./try-program";

export interface MirrorOptions {
  /** The program for each platform, as Terraform names it, such as `linux_amd64`. */
  readonly programs: ReadonlyMap<string, PluginProgram>;
  /** Address of the provider, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  readonly version: string;
}

/** The provider's program. */
export type PluginProgram =
  /** A script for Node, without a shebang, and the licences of the software in it, which are shipped with it. */
  | { readonly script: Buffer; readonly licences: Buffer }
  /** The file of a standalone executable. It carries its licences. */
  | { readonly executable: string };

/**
 * Writes the plugin as a mirror for Terraform and OpenTofu: a filesystem mirror, unpacked and packed, that is also a
 * network mirror where a web server serves the folder; and the CLI configuration that uses the filesystem mirror for
 * this provider's host and leaves other hosts to their registries.
 *
 * An existing version is replaced, for the platforms given. The same program yields the same files on every machine,
 * so that checksums in lock files stay valid.
 *
 * @returns the path of the CLI configuration for TF_CLI_CONFIG_FILE
 * @throws Error if the folder can't be written, or the program does not start
 */
export async function writeMirror(folder: string, options: MirrorOptions): Promise<string> {
  const { programs, source, version } = options;
  const own = programs.get(ownPlatform());
  // The program is tried before anything is written.
  if (own !== undefined && "executable" in own) await tryProgram(own.executable);
  const root = path.resolve(folder);
  const type = path.posix.basename(source);
  const provider = path.join(root, ...source.split("/"));
  const archives: [string, Archive][] = [];
  for (const [platform, program] of programs) {
    const files = packageFiles(program, executableName(type, version, platform));
    const target = path.join(provider, version, platform);
    mkdirSync(target, { recursive: true });
    for (const file of files) install(path.join(target, file.name), file.content, modeOf(file));
    const [name, zip] = [zipName(type, version, platform), zipPackage(files)];
    install(path.join(provider, name), zip);
    archives.push([platform, { url: name, hashes: lockHashes(files, zip) }]);
  }
  // What lists packages comes after them: a client may be reading meanwhile.
  const listed = versionText(provider, version, Object.fromEntries(archives));
  install(path.join(provider, versionFile(version)), listed);
  const index = indexOf(provider);
  install(path.join(provider, index.name), index.text);
  if (own !== undefined && "script" in own) {
    mkdirSync(path.join(root, CODE_CACHES), { recursive: true });
    const launcher = path.join(
      provider,
      version,
      ownPlatform(),
      executableName(type, version, ownPlatform()),
    );
    await tryProgram(process.execPath, [launcher, WRITE_CODE_CACHE]);
  }
  const configuration = path.join(root, `${type}.tfrc`);
  install(configuration, cliConfiguration(root, source.split("/")[0]!));
  return configuration;
}

/** The files of a package. Those of a script are the same for every platform. */
export function packageFiles(program: PluginProgram, launched: string): readonly PackageFile[] {
  const executable = (content: Buffer) => ({ name: launched, content, isExecutable: true });
  if ("executable" in program) return [executable(readFileSync(program.executable))];
  const { script, licences } = program;
  return [
    { name: "LICENCES.txt", content: licences, isExecutable: false },
    { name: SCRIPT, content: script, isExecutable: false },
    executable(Buffer.from(launcherFor(script))),
  ];
}

const READABLE = 0o644;

/** Renaming keeps the file of a running program intact. */
function install(target: string, content: Uint8Array | string, mode = READABLE): void {
  const beside = `${target}.${process.pid}`;
  writeFileSync(beside, content);
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
