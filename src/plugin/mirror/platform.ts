import { arch, platform } from "node:os";

const SYSTEMS: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** This machine's platform in Go's names. */
export function ownPlatform(): string {
  const [system, processor] = [platform(), arch()];
  return `${SYSTEMS[system] ?? system}_${ARCHITECTURES[processor] ?? processor}`;
}
