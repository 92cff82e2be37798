import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Zippable, zipSync } from "fflate";

/** A file of the package of a provider for one platform. */
export interface PackageFile {
  readonly name: string;
  readonly content: Uint8Array;
  readonly isExecutable: boolean;
}

/** Returns the name under which Terraform looks for the executable in a package. */
export const executableName = (type: string, version: string, platform: string): string =>
  `terraform-provider-${type}_v${version}${platform.startsWith("windows_") ? ".exe" : ""}`;

/** Returns the name of a package as a zip file, in registries and mirrors. */
export const zipName = (type: string, version: string, platform: string): string =>
  `terraform-provider-${type}_${version}_${platform}.zip`;

/** Returns the permissions of a file of a package. */
export const modeOf = ({ isExecutable }: PackageFile): number => (isExecutable ? 0o755 : 0o644);

type Named = Pick<PackageFile, "name">;

const byName = (one: Named, other: Named): number => (one.name < other.name ? -1 : 1);

/** Returns the earliest time that a zip file can contain. Zip files contain local times. */
const firstTime = (): Date => new Date(1980, 0, 1);
/** The number that means Unix in a zip file. The meaning of the file attributes depends on this number. */
const UNIX = 3;
const REGULAR_FILE = 0o100_000;

/**
 * Returns a package as a zip file. The files are in the order of their names and have a fixed time. So equal files
 * yield equal bytes on every machine.
 */
export function zipPackage(files: readonly PackageFile[]): Buffer {
  const entries = [...files].sort(byName).map((file): [string, Zippable[string]] => {
    const attrs = (REGULAR_FILE | modeOf(file)) * 0x1_0000;
    return [file.name, [file.content, { level: 6, mtime: firstTime(), os: UNIX, attrs }]];
  });
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

const sha256 = (content: Uint8Array | string) => createHash("sha256").update(content);

/** Returns the SHA-256 of a file, in hexadecimal digits. */
export const digestOf = (content: Uint8Array): string => sha256(content).digest("hex");

/**
 * Returns whether `zipPackage` wrote a zip file. The first entry then has the name of a file of a package, and the
 * earliest time that the zip format allows.
 */
export function isPackedHere(head: Buffer): boolean {
  if (head.length < ENTRY_NAME || head.readUInt32LE(0) !== LOCAL_ENTRY) return false;
  const name = head.toString("latin1", ENTRY_NAME, ENTRY_NAME + head.readUInt16LE(ENTRY_NAME - 4));
  return head.readUInt32LE(10) === FIRST_DOS_TIME && PACKED.test(name);
}

/** The signature of an entry in a zip file, the offset of its name, and the time 1980-01-01 00:00. */
const [LOCAL_ENTRY, ENTRY_NAME, FIRST_DOS_TIME] = [0x0403_4b50, 30, 0x0021_0000];
const PACKED = /^(?:LICENCES\.txt|provider\.js|terraform-provider-[\w-]+_v[\w.+-]+)$/;

/**
 * Returns Go's dirhash of the files of a package: the scheme `h1` of `.terraform.lock.hcl`. Packed and unpacked
 * files have equal hashes.
 */
export function hashOfFiles(files: readonly { readonly name: string; readonly digest: string }[]): string {
  const listed = [...files].sort(byName).map(({ name, digest }) => `${digest}  ${name}\n`);
  return `h1:${sha256(listed.join("")).digest("base64")}`;
}

/**
 * Returns the checksums of a package in the schemes of `.terraform.lock.hcl`: `h1` of the package's files, and `zh` of
 * the zip file.
 */
export const lockHashes = (files: readonly PackageFile[], zip: Uint8Array): readonly string[] => [
  hashOfFiles(files.map(({ name, content }) => ({ name, digest: digestOf(content) }))),
  `zh:${digestOf(zip)}`,
];

/** The name of the script in the launcher's folder. */
const SCRIPT = "provider.js";
/**
 * The text of the file that Terraform starts. The launcher loads only the script in the same folder, because the
 * checksum in a lock file covers only the folder of the package. A file outside of this folder, such as a code cache
 * of V8, could be replaced, and Terraform would not notice.
 *
 * After everything is loaded, the launcher makes V8 optimize functions later than by default, as the `steward`
 * command does. The launcher does not set V8's flags earlier, because Node's code caches are valid only with
 * unchanged flags.
 */
const LAUNCHER = `#!/usr/bin/env node
const { setFlagsFromString } = require("node:v8");
const { loaded } = require("./${SCRIPT}");
void loaded?.then(() => {
  setFlagsFromString("--wasm-tiering-budget=1000000000");
  // Node 22 has no such flag.
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString("--interrupt-budget=300000");
});
`;

/** The program of the provider. */
export type PluginProgram =
  /**
   * A script for Node without a shebang, and the licences of the software that the script contains. The licences are shipped with
   * the script.
   */
  | { readonly script: Buffer; readonly licences: Buffer }
  /** The path of a standalone executable. The executable contains the licences of its software. */
  | { readonly executable: string };

/** Returns the files of a package. The files of a script are equal for every platform. */
export function packageFiles(program: PluginProgram, launched: string): readonly PackageFile[] {
  const executable = (content: Buffer) => ({ name: launched, content, isExecutable: true });
  if ("executable" in program) return [executable(readFileSync(program.executable))];
  const { script, licences } = program;
  return [
    { name: "LICENCES.txt", content: licences, isExecutable: false },
    { name: SCRIPT, content: script, isExecutable: false },
    executable(Buffer.from(LAUNCHER)),
  ];
}
