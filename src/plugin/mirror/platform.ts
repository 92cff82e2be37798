import { closeSync, openSync, readSync } from "node:fs";
import { arch, platform } from "node:os";

const SYSTEMS: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** Returns a platform in Go's names, such as `linux_amd64`, from Node's names. */
const goPlatform = (system: string, processor: string): string =>
  `${SYSTEMS[system] ?? system}_${ARCHITECTURES[processor] ?? processor}`;

/** Returns this machine's platform in Go's names. */
export const ownPlatform = (): string => goPlatform(platform(), arch());

/** The platforms on which a script with a shebang can be started, and for which Node is released. */
export const SCRIPT_PLATFORMS: readonly string[] = [
  "darwin_amd64",
  "darwin_arm64",
  "linux_amd64",
  "linux_arm64",
];

const ELF_PROCESSORS: Readonly<Record<number, string>> = { 62: "x64", 183: "arm64" };
const MACH_O_PROCESSORS: Readonly<Record<number, string>> = { 16777223: "x64", 16777228: "arm64" };
const PE_PROCESSORS: Readonly<Record<number, string>> = { 34404: "x64", 43620: "arm64" };

const HEADER_BYTES = 4096;

/**
 * Returns the platform of an executable from its header; undefined for platforms that Node does not support.
 *
 * @throws Error if the file can't be read
 */
export function platformOf(file: string): string | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, header);
  } finally {
    closeSync(descriptor);
  }
  const [system, processor] = namesIn(header);
  return system === undefined || processor === undefined ? undefined : goPlatform(system, processor);
}

function namesIn(executable: Buffer): readonly [system?: string, processor?: string | undefined] {
  const magic = executable.readUInt32BE(0);
  // ELF headers name no system. Linux uses the ABIs 0 and 3.
  if (magic === 0x7f45_4c46 && [0, 3].includes(executable[7]!))
    return ["linux", ELF_PROCESSORS[executable.readUInt16LE(0x12)]];
  if (magic === 0xcffa_edfe) return ["darwin", MACH_O_PROCESSORS[executable.readUInt32LE(4)]];
  if (executable.readUInt16BE(0) !== 0x4d5a) return [];
  const header = executable.readUInt32LE(0x3c);
  if (header + 6 > executable.length || executable.readUInt32BE(header) !== 0x5045_0000) return [];
  return ["win32", PE_PROCESSORS[executable.readUInt16LE(header + 4)]];
}
