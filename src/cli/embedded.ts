import { getRawAsset, isSea } from "node:sea";

/**
 * Returns a file of the single executable by its name, as read-only memory. Returns undefined for an unknown name, and outside of
 * the single executable.
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
