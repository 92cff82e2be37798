import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const ROOT = path.join(__dirname, "..", "..", "..");

/** A user's project: a copy of some files, and the packages that `npm ci` would install. */
export interface OwnProject {
  readonly folder: string;
  remove(): void;
}

/** Copies a folder of the repository to an empty folder. Without an argument, the folder stays empty. */
export function ownProject(from?: string): OwnProject {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-project-"));
  if (from !== undefined) cpSync(path.join(ROOT, from), folder, { recursive: true });
  linkPackages(folder);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Links the packages of this checkout into `node_modules`, as in a project that depends on steward. */
export function linkPackages(folder: string): void {
  const modules = path.join(folder, "node_modules");
  mkdirSync(path.join(modules, ".bin"), { recursive: true });
  symlinkSync(ROOT, path.join(modules, "cdktf-provider-steward"));
  for (const name of ["cdktf", "constructs", "tsx"])
    symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name));
  symlinkSync(path.join(ROOT, "dist", "cli", "main.js"), path.join(modules, ".bin", "steward"));
}
