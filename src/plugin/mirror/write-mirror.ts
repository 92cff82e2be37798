import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import {
  createIdentity,
  handshakeEnvironment,
  isHandshakeLine,
  PROTOCOL_VERSION,
} from "../transport/handshake";
import { ownPlatform } from "./platform";
import {
  type Archive,
  digestOf,
  executableName,
  indexOf,
  lockHashes,
  modeOf,
  type PackageFile,
  versionFile,
  versionText,
  zipName,
  zipPackage,
} from "./provider-package";

/** The script beside the launcher. */
const SCRIPT = "provider.js";
/** The argument that makes the launcher write V8's code cache at exit. */
const WRITE_CODE_CACHE = "--write-code-cache";
/** The folder of the code caches, below the mirror. */
const CODE_CACHES = ".cache";

/**
 * The file that Terraform starts: it runs the script with the code cache that was written with the mirror,
 * which halves the time to the first response. Another release of Node compiles anew, as does a copied
 * mirror. V8 optimizes functions later than by default, as in the command, from the moment at which all is
 * loaded: code caches, also Node's of its own modules, are valid only with the flags under which they were written.
 *
 * The code cache is outside of the provider's own folder and named by the script's content: a folder that
 * differs between machines would never match the checksum in a lock file.
 */
const launcherFor = (script: Buffer): string => `#!/usr/bin/env node
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");
const filename = \`\${__dirname}/${SCRIPT}\`;
const cache = \`\${__dirname}/../../../../../${CODE_CACHES}/${digestOf(script).slice(0, 16)}-\${process.version}-\${process.arch}\`;
const source = \`(function (exports, require, module, __filename, __dirname) {\${readFileSync(filename, "utf8")}
})\`;

const script = new Script(source, { filename, ...(existsSync(cache) && { cachedData: readFileSync(cache) }) });
if (process.argv[2] === "${WRITE_CODE_CACHE}") {
  process.on("exit", () => writeFileSync(cache, script.createCachedData()));
}
script.runInThisContext()(exports, require, module, filename, __dirname);
if (process.argv[2] === undefined) void module.exports.loaded?.then(() => setFlagsFromString("--interrupt-budget=300000 --wasm-tiering-budget=1000000000"));
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
    const platform = ownPlatform();
    const launcher = path.join(provider, version, platform, executableName(type, version, platform));
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
