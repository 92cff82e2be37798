import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseJson } from "../../json";

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
