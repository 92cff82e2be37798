import { accessSync, constants } from "node:fs";
import path from "node:path";

/** Returns the path of a program on the PATH; undefined if it is not there. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return folders
    .filter((folder) => !folder.includes("node_modules"))
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

export const missingProgram = (name: string): string | undefined =>
  findProgram(name) === undefined ? `the program ${name}` : undefined;
