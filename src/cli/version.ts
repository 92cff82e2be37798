import { readFileSync } from "node:fs";
import path from "node:path";
import { embedded } from "./embedded";

const PACKAGE = "package.json";

export const packageVersion = (): string => manifest().version;

/**
 * Returns the packages that an app needs: this package, the library of its constructs, and `constructs`. Each package has the
 * version range that this package accepts.
 */
export function appDependencies(): Readonly<Record<string, string>> {
  const { name, version, peerDependencies, peerDependenciesMeta } = manifest();
  const dependencies = { ...peerDependencies, [name]: version };
  return Object.fromEntries(
    Object.entries(dependencies)
      .filter(([dependency]) => peerDependenciesMeta?.[dependency]?.optional !== true)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      // A version range with several parts begins with the oldest accepted release.
      .map(([dependency, range]) => [dependency, `^${/\d+\.\d+\.\d+/.exec(range)?.[0]}`]),
  );
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

let known: Manifest | undefined;

function manifest(): Manifest {
  known ??= readManifest();
  return known;
}

function readManifest(): Manifest {
  const text = embedded(PACKAGE) ?? readFileSync(path.join(__dirname, "..", "..", PACKAGE));
  // Uses `JSON.parse`, because Steward wrote this file. The project's strict JSON parser is for files of users, and takes more
  // time to load than `--version` needs.
  return JSON.parse(text.toString()) as Manifest;
}
