import { getRawAsset, isSea } from "node:sea";

/**
 * Returns the content of a file in the single executable; callers must not change it. Returns undefined for an unknown name,
 * and in a process that is not the single executable.
 */
export function embedded(name: string): Buffer | undefined {
  if (!isSea()) return undefined;
  try {
    return Buffer.from(getRawAsset(name) as ArrayBuffer);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND")
      return undefined;
    throw problem;
  }
}
