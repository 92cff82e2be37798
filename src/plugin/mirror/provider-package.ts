import { createHash } from "node:crypto";
import { type Zippable, zipSync } from "fflate";

/** A file of the package of a provider for one platform. */
export interface PackageFile {
  readonly name: string;
  readonly content: Uint8Array;
  readonly isExecutable: boolean;
}

/** The name of the executable in a package, as Terraform looks for it. */
export const executableName = (type: string, version: string, platform: string): string =>
  `terraform-provider-${type}_v${version}${platform.startsWith("windows_") ? ".exe" : ""}`;

/** The name of a package as a zip file, in registries and mirrors. */
export const zipName = (type: string, version: string, platform: string): string =>
  `terraform-provider-${type}_${version}_${platform}.zip`;

export const modeOf = ({ isExecutable }: PackageFile): number => (isExecutable ? 0o755 : 0o644);

const byName = (one: PackageFile, other: PackageFile): number => (one.name < other.name ? -1 : 1);

/** The first time that a zip file can hold; in local time, which is what it stores. */
const firstTime = (): Date => new Date(1980, 0, 1);
/** File attributes in a zip file follow the system that it names. */
const UNIX = 3;
const REGULAR_FILE = 0o100_000;

/**
 * A package as a zip file. The same files yield the same bytes on every machine: in the order of their names, with a
 * fixed time.
 */
export function zipPackage(files: readonly PackageFile[]): Buffer {
  const entries = [...files].sort(byName).map((file): [string, Zippable[string]] => {
    const attrs = (REGULAR_FILE | modeOf(file)) * 0x1_0000;
    return [file.name, [file.content, { level: 6, mtime: firstTime(), os: UNIX, attrs }]];
  });
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

const sha256 = (content: Uint8Array | string) => createHash("sha256").update(content);

/** The SHA-256 of a file, in hexadecimal digits. */
export const digestOf = (content: Uint8Array): string => sha256(content).digest("hex");

/**
 * Checksums of a package in the schemes of `.terraform.lock.hcl`: `h1` of its files (Go's dirhash, the same packed and
 * unpacked), and `zh` of the zip file.
 */
export function lockHashes(files: readonly PackageFile[], zip: Uint8Array): readonly string[] {
  const listed = [...files].sort(byName).map(({ name, content }) => `${digestOf(content)}  ${name}\n`);
  return [`h1:${sha256(listed.join("")).digest("base64")}`, `zh:${digestOf(zip)}`];
}
