import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Zippable, zipSync } from "fflate";
import { parseJson } from "../../json";

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

/** A package in a network mirror, as the protocol has it. */
export interface Archive {
  /** Relative to the file that lists it. */
  readonly url: string;
  readonly hashes: readonly string[];
}
export type Archives = Readonly<Record<string, Archive>>;

const INDEX = "index.json";
const VERSION_FILE = /^(\d+\.\d+\.\d+.*)\.json$/;

export const versionFile = (version: string): string => `${version}.json`;

/** `index.json` of a provider: the versions whose packages are listed in its folder. */
export function indexOf(folder: string): { readonly name: string; readonly text: string } {
  const versions = readdirSync(folder).flatMap((name) => VERSION_FILE.exec(name)?.[1] ?? []);
  return {
    name: INDEX,
    text: jsonText({ versions: Object.fromEntries(versions.sort().map((each) => [each, {}])) }),
  };
}

/** `VERSION.json`: the packages of a version, those of earlier runs for other platforms included. */
export function versionText(folder: string, version: string, written: Archives): string {
  const earlier = Object.entries(earlierArchives(path.join(folder, versionFile(version)))).filter(
    ([, { url }]) => existsSync(path.join(folder, url)),
  );
  const archives = { ...Object.fromEntries(earlier), ...written };
  return jsonText({ archives: Object.fromEntries(Object.entries(archives).sort()) });
}

/** The packages that an earlier run listed. @throws Error if the file is not of a network mirror */
function earlierArchives(file: string): Archives {
  if (!existsSync(file)) return {};
  const { archives } = Object(readJson(file)) as { archives?: unknown };
  const all = Object.entries(Object(archives) as Record<string, unknown>);
  if (archives === undefined || !all.every((entry): entry is [string, Archive] => isArchive(entry[1])))
    throw new Error(`${file} is not a file of a network mirror. Remove it, or name another folder.`);
  return Object.fromEntries(all) as Archives;
}

function readJson(file: string): unknown {
  try {
    return parseJson(readFileSync(file, "utf8"));
  } catch (problem) {
    throw new Error(`${file} is not JSON: ${(problem as Error).message}`);
  }
}

function isArchive(value: unknown): boolean {
  const { url, hashes } = Object(value) as { url?: unknown; hashes?: unknown };
  return typeof url === "string" && path.basename(url) === url && Array.isArray(hashes);
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
