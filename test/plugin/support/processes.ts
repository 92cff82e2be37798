import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";

/** Returns the processes that run a program of this name. */
export const processesOf = (name: string): readonly string[] =>
  execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(name));

/** Returns the socket folders that plugins have left behind in a folder for temporary files. */
export const socketsIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith("steward-"));
