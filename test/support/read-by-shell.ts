import { execFileSync } from "node:child_process";

/** What a POSIX shell makes of words. */
export const readByShell = (words: readonly string[]): string[] =>
  execFileSync("sh", ["-c", `printf '%s\\0' ${words.join(" ")}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
