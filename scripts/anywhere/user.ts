import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { missingProgram } from "./programs";

/** An ordinary user of this machine. */
interface User {
  readonly uid: number;
  readonly gid: number;
}

const ORDINARY = { from: 1000, to: 60_000 };

const isRoot = (): boolean => process.getuid?.() === 0;

/** The first ordinary user of `/etc/passwd`. Root runs the commands as this user, and makes none. */
function ordinaryUser(): User | undefined {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([, , uid, gid]) => ({ uid: Number(uid), gid: Number(gid) }))
    .find(({ uid }) => uid >= ORDINARY.from && uid < ORDINARY.to);
}

/** Returns the program or user that this machine lacks to run commands as an ordinary user, if any. */
export function missingUser(): string | undefined {
  if (!isRoot()) return undefined;
  if (ordinaryUser() === undefined) return "an ordinary user (`useradd --create-home NAME` makes one)";
  return missingProgram("setpriv");
}

/** Runs a command as the ordinary user; nothing where the script is not run by root. */
export function userPrefix(): readonly string[] {
  const user = isRoot() ? ordinaryUser() : undefined;
  if (user === undefined) return [];
  return ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--"];
}

/** Gives files and folders to the ordinary user. */
export function handOver(...files: readonly string[]): void {
  const user = isRoot() ? ordinaryUser() : undefined;
  if (user !== undefined) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, ...files]);
}
