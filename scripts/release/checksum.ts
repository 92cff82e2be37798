import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { digestOf } from "../../src/plugin/mirror/provider-package";

/** Returns a line for a file of checksums, in the format of `sha256sum --check`. */
export const checksumLine = (file: string): string =>
  `${digestOf(readFileSync(file))}  ${path.basename(file)}\n`;

/** Writes the SHA-256 checksum of a file next to it. Returns a text with the path and size of the file. */
export function withChecksum(file: string): string {
  const content = readFileSync(file);
  writeFileSync(`${file}.sha256`, checksumLine(file));
  return `${file}: ${(content.length / 1e6).toFixed(0)} MB`;
}
