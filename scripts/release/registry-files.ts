import { writeFileSync } from "node:fs";
import path from "node:path";
import { executableName, packageFiles, zipName, zipPackage } from "../../src/plugin/mirror/provider-package";
import { checksumLine } from "./checksum";

const TYPE = "steward";
/** The information of a registry about the provider before its start. */
const MANIFEST = { version: 1, metadata: { protocol_versions: ["6.0"] } };

/**
 * Writes the files that a provider registry takes for a release: a package for each platform, the manifest, and the checksums
 * of all of them. The same executables yield the same bytes.
 *
 * @param executables by platform, as Terraform names it
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
