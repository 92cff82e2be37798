import { unlink } from "node:fs/promises";
import { systemCode } from "./system-code";

/** Removes a file, where there is one. Anything but a file is left there, and is the system's error. */
export async function removeFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (problem) {
    if (systemCode(problem) !== "ENOENT") throw problem;
  }
}
