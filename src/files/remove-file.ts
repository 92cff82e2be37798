import { unlink } from "node:fs/promises";
import { systemCode } from "./system-code";

/** Removes a file if it exists; anything but a file stays and raises the system's error. */
export async function removeFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (problem) {
    if (systemCode(problem) !== "ENOENT") throw problem;
  }
}
