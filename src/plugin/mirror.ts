import { chmodSync, copyFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import path from "node:path";

export interface MirrorOptions {
  /** The program in one file: a script that Node runs, or an executable. */
  readonly program: string;
  /** Address of the provider, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  readonly version: string;
  /** As Terraform names them, such as `linux_amd64`; this machine's where left out. */
  readonly platforms?: readonly string[];
}

/**
 * Writes the plugin as a filesystem mirror, in the unpacked layout that Terraform and OpenTofu read, with the CLI
 * configuration that uses it for this provider's host and leaves all others to their registries.
 *
 * A version that is there already is replaced; lock files that know its checksum then have to be made anew.
 *
 * @returns the path of the CLI configuration, which TF_CLI_CONFIG_FILE has to name
 */
export function writeMirror(folder: string, options: MirrorOptions): string {
  const { program, source, version, platforms = [ownPlatform()] } = options;
  const root = path.resolve(folder);
  const type = path.posix.basename(source);
  for (const each of platforms) {
    const place = path.join(root, ...source.split("/"), version, each);
    mkdirSync(place, { recursive: true });
    install(program, path.join(place, `terraform-provider-${type}_v${version}`));
  }
  const configuration = path.join(root, `${type}.tfrc`);
  writeFileSync(configuration, cliConfiguration(root, source.split("/")[0]!));
  return configuration;
}

/** A program that is running keeps its old file: the new one takes the name, not the place. */
function install(program: string, target: string): void {
  const beside = `${target}.new`;
  copyFileSync(program, beside);
  chmodSync(beside, 0o755);
  renameSync(beside, target);
}

const cliConfiguration = (root: string, host: string): string => `provider_installation {
  filesystem_mirror {
    path    = ${quoted(root)}
    include = ["${host}/*/*"]
  }
  direct {
    exclude = ["${host}/*/*"]
  }
}
`;

/** A text of HCL, in which `${` and `%{` begin templates. */
const quoted = (text: string): string => JSON.stringify(text).replace(/([$%])\{/g, "$1$1{");

const SYSTEMS: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** This machine's platform by the names that Go has for it. */
function ownPlatform(): string {
  const [system, processor] = [platform(), arch()];
  return `${SYSTEMS[system] ?? system}_${ARCHITECTURES[processor] ?? processor}`;
}
