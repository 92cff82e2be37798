import { execFileSync } from "node:child_process";

/** Returns the words that a POSIX shell reads from these words. */
export const readByShell = (words: readonly string[]): string[] =>
  execFileSync("sh", ["-c", `printf '%s\\0' ${words.join(" ")}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
