import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Place } from "./setting";

/**
 * Installs a release of Node from npm's package `node`.
 * @returns the folder with the programs
 */
export function installNode({ folder, env }: Place, release: string): string {
  const prefix = path.join(folder, "node");
  mkdirSync(prefix, { recursive: true });
  // An install script of the package downloads the program. npm 11 runs it only if the project allows it.
  writeFileSync(
    path.join(prefix, "package.json"),
    JSON.stringify({ private: true, allowScripts: { node: true } }),
  );
  const words = ["install", "--silent", "--no-save", "--prefix", prefix, `node@${release}`];
  execFileSync("npm", words, {
    cwd: prefix,
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const programs = path.join(prefix, "node_modules", "node", "bin");
  const version = execFileSync(path.join(programs, "node"), ["--version"], { encoding: "utf8" }).trim();
  if (!version.startsWith(`v${release}.`))
    throw new Error(`npm's package node@${release} brings Node ${version}.`);
  return programs;
}
