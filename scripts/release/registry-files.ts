import { writeFileSync } from "node:fs";
import path from "node:path";
import { executableName, packageFiles, zipName, zipPackage } from "../../src/plugin/mirror/provider-package";
import { checksumLine } from "./checksum";

const TYPE = "steward";
/**
 * The information about the provider for a registry. From this file, clients know the protocol of the provider before
 * they start it.
 */
const MANIFEST = { version: 1, metadata: { protocol_versions: ["6.0"] } };

/**
 * Writes the files of a release that a provider registry expects: a package for each platform, the manifest, and the
 * checksums of all of them. Equal executables give equal files.
 * @param executables the path of each executable, by Terraform's name of the platform
 * @returns the path of the file with the checksums
 */
export function writeRegistryFiles(
  folder: string,
  version: string,
  executables: ReadonlyMap<string, string>,
): string {
  const inFolder = (name: string) => path.join(folder, name);
  const packages = [...executables].map(([platform, executable]) => {
    const file = inFolder(zipName(TYPE, version, platform));
    writeFileSync(file, zipPackage(packageFiles({ executable }, executableName(TYPE, version, platform))));
    return file;
  });
  const manifest = inFolder(`terraform-provider-${TYPE}_${version}_manifest.json`);
  writeFileSync(manifest, `${JSON.stringify(MANIFEST, null, 2)}\n`);
  const checksums = inFolder(`terraform-provider-${TYPE}_${version}_SHA256SUMS`);
  writeFileSync(checksums, [manifest, ...packages].sort().map(checksumLine).join(""));
  return checksums;
}
