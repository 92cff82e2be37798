import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type FileOfSet, FileProblem, type IsOwn, occupiedOf, SetProblem, writeSet } from "../../files";
import { parseJson } from "../../json";
import { ownPlatform } from "./platform";
import {
  digestOf,
  executableName,
  hashOfFiles,
  isPackedHere,
  lockHashes,
  modeOf,
  type PluginProgram,
  packageFiles,
  zipName,
  zipPackage,
} from "./provider-package";
import { tryProgram } from "./try-program";

/**
 * Packages in a network mirror, by platform, in the format of the protocol. `url` is relative to the file that lists the
 * packages.
 */
type Archives = Record<string, { readonly url: string; readonly hashes: readonly string[] }>;

const INDEX = "index.json";
const VERSION_FILE = /^(\d+\.\d+\.\d+.*)\.json$/;

const versionFile = (version: string): string => `${version}.json`;

/**
 * Returns the text of a provider's `index.json`: this version, and the versions whose packages are listed in the provider's
 * folder.
 */
function indexText(folder: string, version: string): string {
  const listed = readdirSync(folder).flatMap((name) => VERSION_FILE.exec(name)?.[1] ?? []);
  const versions = [...new Set([...listed, version])].sort();
  return jsonText({ versions: Object.fromEntries(versions.map((each) => [each, {}])) });
}

/** Returns the text of `VERSION.json`: the packages of a version, including packages of earlier runs for other platforms. */
function versionText(folder: string, earlier: Archives, written: Archives): string {
  const kept = Object.entries(earlier).filter(([, { url }]) => existsSync(path.join(folder, url)));
  const archives = { ...Object.fromEntries(kept), ...written };
  return jsonText({ archives: Object.fromEntries(Object.entries(archives).sort()) });
}

/**
 * Returns the packages that an earlier run listed.
 *
 * @param force whether a file of another origin may be replaced
 * @throws Error if the file does not belong to a network mirror
 */
function earlierArchives(file: string, force: boolean): Archives {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (text === "") return {};
  try {
    return archivesIn(file, text);
  } catch (problem) {
    if (force) return {};
    throw problem;
  }
}

function archivesIn(file: string, text: string): Archives {
  const { archives } = Object(parsed(file, text)) as { archives?: Archives };
  if (archives === undefined || !Object.values(Object(archives)).every(isArchive))
    throw new Error(`${file} is not a file of a network mirror. ${ADVICE}`);
  return Object(archives) as Archives;
}

const ADVICE = "Name another folder, or replace the file with --force.";

function parsed(file: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (problem) {
    throw new Error(`${file} is not JSON: ${(problem as Error).message} ${ADVICE}`);
  }
}

function isArchive(value: unknown): boolean {
  const { url, hashes } = Object(value) as { url?: unknown; hashes?: unknown };
  return typeof url === "string" && path.basename(url) === url && Array.isArray(hashes);
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export interface MirrorOptions {
  /** The program for each platform, as Terraform names it, such as `linux_amd64`. */
  readonly programs: ReadonlyMap<string, PluginProgram>;
  /** Address of the provider, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  readonly version: string;
  /** Whether files that this command did not write may be replaced. */
  readonly force?: boolean;
}

/**
 * Writes the plugin as a mirror for Terraform and OpenTofu. The folder is a filesystem mirror that contains each
 * package both unpacked and packed. The folder is also a network mirror if a web server serves it. The CLI
 * configuration uses the filesystem mirror for this provider's host, and the registries for all other hosts.
 *
 * The packages of an existing version are replaced for the given platforms. Equal programs yield equal files on
 * every machine, so that checksums in lock files stay valid.
 *
 * @returns the path of the CLI configuration for TF_CLI_CONFIG_FILE
 * @throws SetProblem if a file can't be written, `occupied` for a file of another origin; Error if the program does
 * not start
 */
export async function writeMirror(folder: string, options: MirrorOptions): Promise<string> {
  const { programs, source, version, force = false } = options;
  const own = programs.get(ownPlatform());
  // Tries the program before it writes any file.
  if (own !== undefined && "executable" in own) await tryProgram(own.executable);
  const root = path.resolve(folder);
  const type = path.posix.basename(source);
  const provider = path.join(root, ...source.split("/"));
  const listing = path.join(provider, versionFile(version));
  const earlier = earlierArchives(listing, force);
  const configuration: FileOfSet = {
    ...{ file: path.join(root, `${type}.tfrc`), mode: READABLE },
    ...ownBy(isConfiguration),
    content: cliConfiguration(root, source.split("/")[0]!),
  };
  const packages = [...programs].map(([platform, program]) => {
    const files = packageFiles(program, executableName(type, version, platform));
    const target = path.join(provider, version, platform);
    const isOwn = isRecorded(target, earlier[platform]?.hashes);
    const set = files.map((one): FileOfSet => {
      return {
        file: path.join(target, one.name),
        content: one.content,
        reader: "text",
        mode: modeOf(one),
        isOwn,
      };
    });
    return { platform, files, set, name: zipName(type, version, platform) };
  });
  const index: FileOfSet = {
    ...{ file: path.join(provider, INDEX), content: "", mode: READABLE },
    ...ownBy(isIndex),
  };
  if (!force) {
    const archives = packages.map(({ name }): FileOfSet => {
      return { file: path.join(provider, name), content: "", ...ownBy(isPackedHere) };
    });
    requireOwn([...packages.flatMap(({ set }) => set), ...archives, index, configuration]);
  }
  const written: Archives = {};
  // Writes one package at a time, because executables are large.
  for (const { platform, files, set, name } of packages) {
    const zip = zipPackage(files);
    const archive = { file: path.join(provider, name), content: zip, mode: READABLE, ...ownBy(isPackedHere) };
    await writeSet([...set, archive]);
    written[platform] = { url: name, hashes: lockHashes(files, zip) };
  }
  // The lists of packages are written after the packages. A client may read the lists while packages are written.
  await writeSet([
    {
      ...{ file: listing, mode: READABLE },
      content: versionText(provider, earlier, written),
      reader: (content) => archivesIn(listing, content.toString("utf8")),
    },
    { ...index, content: indexText(provider, version) },
  ]);
  if (own !== undefined && "script" in own) {
    const platform = ownPlatform();
    const launcher = path.join(provider, version, platform, executableName(type, version, platform));
    await tryProgram(process.execPath, [launcher]);
  }
  await writeSet([configuration]);
  return configuration.file;
}

/**
 * Returns one check for two purposes: to recognize files of earlier runs, and to check the files that this run
 * writes.
 */
const ownBy = (isOwn: IsOwn): Pick<FileOfSet, "isOwn" | "reader"> => ({
  isOwn,
  reader: (content) => {
    if (!isOwn(content, () => content)) throw new Error("it is not of a mirror");
  },
});

/**
 * Checks that no file would be replaced that `writeMirror` did not write. @throws SetProblem for the first such file
 */
function requireOwn(files: readonly FileOfSet[]): void {
  const [occupied] = occupiedOf(files);
  if (occupied !== undefined)
    throw new SetProblem(
      occupied.file,
      new FileProblem("occupied", "it exists, and this command did not write its content"),
    );
}

/** Returns whether the files in a folder have the checksum that an earlier run listed for the package. */
function isRecorded(folder: string, hashes: readonly string[] | undefined): IsOwn {
  let known: boolean | undefined;
  const isSame = () => {
    const names = readdirSync(folder).filter((name) => lstatSync(path.join(folder, name)).isFile());
    const files = names.map((name) => ({ name, digest: digestOf(readFileSync(path.join(folder, name))) }));
    return hashes?.includes(hashOfFiles(files)) === true;
  };
  return () => {
    known ??= isSame();
    return known;
  };
}

const isIndex: IsOwn = (_, whole) => {
  try {
    const { versions, ...others } = Object(parseJson(whole().toString("utf8"))) as { versions?: unknown };
    const isEmpty = (one: unknown) => Object.keys(Object(one)).length === 0;
    return Object.keys(others).length === 0 && Object.values(Object(versions)).every(isEmpty);
  } catch {
    return false;
  }
};

const READABLE = 0o644;

/** Returns the text of the CLI configuration. The text is in HCL 1, which has no templates. */
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

/**
 * Matches a CLI configuration that this command wrote. A user may have added credentials or another mirror, so the pattern
 * must match the whole file.
 */
const CONFIGURATION =
  /^provider_installation \{\n {2}filesystem_mirror \{\n {4}path {4}= "[^\n]*"\n {4}include = \["([^"\n]+)"\]\n {2}\}\n {2}direct \{\n {4}exclude = \["\1"\]\n {2}\}\n\}\n$/;

const isConfiguration: IsOwn = (_, whole) => CONFIGURATION.test(whole().toString("utf8"));
