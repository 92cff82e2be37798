import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { digestOf } from "../../src/plugin/mirror/provider-package";

/** A line of a checksum file, as `sha256sum --check` reads it. */
export const checksumLine = (file: string): string =>
  `${digestOf(readFileSync(file))}  ${path.basename(file)}\n`;

/** Writes the SHA-256 of a file next to it, and returns its path and size for people. */
export function withChecksum(file: string): string {
  const content = readFileSync(file);
  writeFileSync(`${file}.sha256`, checksumLine(file));
  return `${file}: ${(content.length / 1e6).toFixed(0)} MB`;
}
