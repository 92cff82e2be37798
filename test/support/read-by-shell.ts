import { execFileSync } from "node:child_process";

/** The words as a POSIX shell reads them. */
export const readByShell = (words: readonly string[]): string[] =>
  execFileSync("sh", ["-c", `printf '%s\\0' ${words.join(" ")}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
