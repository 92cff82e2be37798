import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { missingProgram } from "./programs";

/** The ids of an ordinary user on this machine. */
interface User {
  readonly uid: number;
  readonly gid: number;
}

const ORDINARY = { from: 1000, to: 60_000 };

const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Returns the first ordinary user in `/etc/passwd`. If the script runs as root, it runs the commands as this user. The
 * script creates no user.
 */
function ordinaryUser(): User | undefined {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([, , uid, gid]) => ({ uid: Number(uid), gid: Number(gid) }))
    .find(({ uid }) => uid >= ORDINARY.from && uid < ORDINARY.to);
}

/**
 * Returns the missing program or user that this machine needs to run commands as an ordinary user. Returns undefined if
 * nothing is missing.
 */
export function missingUser(): string | undefined {
  if (!isRoot()) return undefined;
  if (ordinaryUser() === undefined) return "an ordinary user (`useradd --create-home NAME` makes one)";
  return missingProgram("setpriv");
}

/**
 * Returns the arguments that run a command as the ordinary user. Returns no arguments if the script does not run as
 * root.
 */
export function userPrefix(): readonly string[] {
  const user = isRoot() ? ordinaryUser() : undefined;
  if (user === undefined) return [];
  return ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--"];
}

/** Makes the ordinary user the owner of files and folders. Does nothing if the script does not run as root. */
export function handOver(...files: readonly string[]): void {
  const user = isRoot() ? ordinaryUser() : undefined;
  if (user !== undefined) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, ...files]);
}
