import { getRawAsset, isSea } from "node:sea";

/**
 * A file that the single executable carries, by its name; undefined outside of the executable, and for a file that it
 * does not have. The content is read-only memory.
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
