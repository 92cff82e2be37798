import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { type Zippable, zipSync } from "fflate";
import { parseJson } from "../../json";
import {
  createIdentity,
  handshakeEnvironment,
  isHandshakeLine,
  PROTOCOL_VERSION,
} from "../transport/handshake";
import { ownPlatform } from "./platform";

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

const modeOf = ({ isExecutable }: PackageFile): number => (isExecutable ? 0o755 : 0o644);

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

/** Packages in a network mirror, by platform, as the protocol has them; `url` is relative to the file that lists them. */
type Archives = Record<string, { readonly url: string; readonly hashes: readonly string[] }>;

const INDEX = "index.json";
const VERSION_FILE = /^(\d+\.\d+\.\d+.*)\.json$/;

const versionFile = (version: string): string => `${version}.json`;

/** `index.json` of a provider: the versions whose packages are listed in its folder. */
function indexOf(folder: string): { readonly name: string; readonly text: string } {
  const versions = readdirSync(folder).flatMap((name) => VERSION_FILE.exec(name)?.[1] ?? []);
  return {
    name: INDEX,
    text: jsonText({ versions: Object.fromEntries(versions.sort().map((each) => [each, {}])) }),
  };
}

/** `VERSION.json`: the packages of a version, those of earlier runs for other platforms included. */
function versionText(folder: string, version: string, written: Archives): string {
  const earlier = Object.entries(earlierArchives(path.join(folder, versionFile(version)))).filter(
    ([, { url }]) => existsSync(path.join(folder, url)),
  );
  const archives = { ...Object.fromEntries(earlier), ...written };
  return jsonText({ archives: Object.fromEntries(Object.entries(archives).sort()) });
}

/** The packages that an earlier run listed. @throws Error if the file is not of a network mirror */
function earlierArchives(file: string): Archives {
  if (!existsSync(file)) return {};
  const { archives } = Object(readJson(file)) as { archives?: Archives };
  if (archives === undefined || !Object.values(Object(archives)).every(isArchive))
    throw new Error(`${file} is not a file of a network mirror. Remove it, or name another folder.`);
  return Object(archives) as Archives;
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

/** The script beside the launcher. */
const SCRIPT = "provider.js";
/**
 * The file that Terraform starts. It loads nothing but the script beside it: the checksum in a lock file covers the folder
 * of the package, and what lies outside of that folder, such as a code cache of V8, could run with the token unnoticed.
 *
 * V8 optimizes functions later than by default, as in the command, from the moment at which all is loaded: Node's own
 * code caches are valid only with the flags under which they were written.
 */
const LAUNCHER = `#!/usr/bin/env node
const { setFlagsFromString } = require("node:v8");
const { loaded } = require("./${SCRIPT}");
void loaded?.then(() => setFlagsFromString("--interrupt-budget=300000 --wasm-tiering-budget=1000000000"));
`;

/** Terraform's own timeout. */
const TIMEOUT = 60_000;

/**
 * Starts a program as Terraform would, waits until it serves, and ends it.
 *
 * @throws Error if it can't be started, or does not serve
 */
export async function tryProgram(program: string, args: readonly string[] = []): Promise<void> {
  const child = spawn(program, args, {
    env: { ...process.env, ...handshakeEnvironment(createIdentity().certificatePem) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The `timeout` of spawn goes on if the program can't be started.
  const timeout = setTimeout(() => child.kill("SIGTERM"), TIMEOUT);
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  const lines = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
  const [line] = await Promise.race([lines, ended.then(() => [undefined])]).finally(() =>
    clearTimeout(timeout),
  );
  child.kill("SIGTERM");
  const [code, signal] = await ended;
  const name = args[0] ?? program;
  if (line === undefined) throw new Error(`${name} does not serve: it exited with ${code ?? signal}.`);
  if (!isHandshakeLine(line))
    throw new Error(`${name} does not speak version ${PROTOCOL_VERSION} of the plugin protocol.`);
  if (code !== 0)
    throw new Error(`${name} serves, but does not end properly: it exited with ${code ?? signal}.`);
}

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
  const archives: Archives = {};
  for (const [platform, program] of programs) {
    const files = packageFiles(program, executableName(type, version, platform));
    const target = path.join(provider, version, platform);
    mkdirSync(target, { recursive: true });
    for (const file of files) install(path.join(target, file.name), file.content, modeOf(file));
    const [name, zip] = [zipName(type, version, platform), zipPackage(files)];
    install(path.join(provider, name), zip);
    archives[platform] = { url: name, hashes: lockHashes(files, zip) };
  }
  // What lists packages comes after them: a client may be reading meanwhile.
  install(path.join(provider, versionFile(version)), versionText(provider, version, archives));
  const index = indexOf(provider);
  install(path.join(provider, index.name), index.text);
  if (own !== undefined && "script" in own) {
    const platform = ownPlatform();
    const launcher = path.join(provider, version, platform, executableName(type, version, platform));
    await tryProgram(process.execPath, [launcher]);
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
    executable(Buffer.from(LAUNCHER)),
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
