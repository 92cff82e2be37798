import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import path from "node:path";
import { parseJson } from "../../json";

/** Matches relative paths of files in the text of code, whether the code imports a file or reads it. */
const NEARBY = /(["'`])(\.{1,2}(?:\/[^"'`\n$]*)?)\1/g;

/** Matches the names of packages that code imports. */
const IMPORTED = /(?:\bfrom|\bimport|\brequire|\bimport\s*\(|\brequire\s*\()\s*(["'])([^"'.\n][^"'\n]*)\1/g;

const ENDINGS = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"];
const INSTALLED = `${path.sep}node_modules${path.sep}`;

/** The files and packages that make up policy modules. */
export interface ModuleParts {
  /** The modules, and the files that they import or name, as absolute paths. */
  readonly files: readonly string[];
  /**
   * The installed packages that the modules import, such as `semver@7.6.0`. For a package in the repository of the modules,
   * `files` lists the files of the package instead.
   */
  readonly packages: readonly string[];
  /** The names of imported packages that are not installed. */
  readonly missing: readonly string[];
}

/**
 * Finds the files that make up modules. Reads the files, and runs none of them. The result contains each file, such as a data
 * file, whose relative path is in the text of the code. Does not find paths that code computes.
 *
 * @param modules absolute paths. Modules that do not exist are left out
 */
export function partsOfModules(modules: readonly string[], more: readonly string[] = []): ModuleParts {
  const files = new Set<string>();
  const packages = new Set<string>();
  const missing = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file) || !isFile(file)) return;
    files.add(file);
    if (!/\.[cm]?[jt]sx?$/.test(file)) return;
    const text = readFileSync(file, "utf8");
    for (const [, , name] of text.matchAll(NEARBY)) {
      const found = fileAt(path.resolve(path.dirname(file), name!));
      if (found !== undefined && !found.includes(INSTALLED)) visit(found);
    }
    for (const [, , name] of text.matchAll(IMPORTED)) {
      const found = importedBy(file, name!);
      if (found?.file !== undefined) visit(found.file);
      if (found?.package !== undefined) packages.add(found.package);
      if (found?.missing !== undefined) missing.add(found.missing);
    }
  };
  for (const one of [...modules, ...more]) visit(one);
  return { files: [...files], packages: [...packages].sort(), missing: [...missing].sort() };
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;

function fileAt(target: string): string | undefined {
  const withoutEnding = target.replace(/\.([cm]?)jsx?$/, "");
  const swapped = withoutEnding === target ? [] : ENDINGS.map((ending) => `${withoutEnding}${ending}`);
  const all = [target, ...swapped, ...ENDINGS.map((ending) => `${target}${ending}`)];
  return [...all, ...ENDINGS.map((ending) => path.join(target, `index${ending}`))].find(isFile);
}

/**
 * The name of Steward's own package. The lists of imported packages leave out this package, because the pipeline decides which
 * release is installed.
 */
const OWN_PACKAGE = "cdktf-provider-steward";

interface Imported {
  readonly file?: string;
  readonly package?: string;
  readonly missing?: string;
}

function importedBy(file: string, name: string): Imported | undefined {
  const require = createRequire(file);
  if (name.startsWith("node:") || name.split("/")[0] === OWN_PACKAGE) return undefined;
  const packageName = name.split("/", name.startsWith("@") ? 2 : 1).join("/");
  for (const folder of require.resolve.paths(name) ?? []) {
    const installed = path.join(folder, packageName);
    const description = path.join(installed, "package.json");
    if (!existsSync(description)) continue;
    // Node finds a package of the same repository through a link, so the real path of the package is not below
    // `node_modules`.
    if (!realpathSync(installed).includes(INSTALLED)) return { file: resolved(require, name) };
    const { version } = parseJson(readFileSync(description, "utf8")) as { readonly version?: string };
    return { package: `${packageName}@${version ?? ""}` };
  }
  if (name.startsWith("#")) return { file: resolved(require, name) };
  return /^[\w@./-]+$/.test(name) && !isBuiltin(name) ? { missing: packageName } : undefined;
}

function resolved(require: NodeJS.Require, name: string): string {
  try {
    return realpathSync(require.resolve(name));
  } catch {
    return "";
  }
}

/**
 * Returns the files that Node has loaded for a module, from the cache of `require`. A TypeScript loader can add a query (`?…`)
 * to the file names in the cache.
 */
function loadedFiles(target: string): string[] {
  const { cache } = createRequire(target);
  const nameOf = (id: string): string => id.split("?", 1)[0]!;
  const start = Object.keys(cache ?? {}).find((id) => nameOf(id) === target);
  const found = new Set<string>();
  const visit = (module: NodeJS.Module | undefined): void => {
    const file = nameOf(module?.filename ?? "");
    if (module === undefined || file === "" || file.includes(INSTALLED) || found.has(file)) return;
    found.add(file);
    for (const child of module.children ?? []) visit(child);
  };
  visit(start === undefined ? undefined : cache[start]);
  return [...found];
}

/**
 * Returns the hash of modules, with all files and packages that they import; null without modules.
 *
 * @param folder the folder to which the hashed paths are relative, so that two checkouts of the same files have the same hash
 */
export function digestOfModules(modules: readonly string[], folder: string): string | null {
  if (modules.length === 0) return null;
  const own = new Set(modules);
  const { files, packages } = partsOfModules(modules, modules.flatMap(loadedFiles));
  const imported = files
    .filter((file) => !own.has(file))
    .map((file) => `${hashOf(file)} ${path.relative(folder, file).split(path.sep).join("/")}`)
    .sort();
  const hashes = [...modules.map(hashOf), ...imported, ...packages];
  return createHash("sha256").update(hashes.join("\n")).digest("hex");
}

const hashOf = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");
