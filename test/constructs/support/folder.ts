import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Calls a function with a temporary folder, and with a reader of its JSON files. Removes the folder afterwards. */
export function inFolder<T>(use: (folder: string, read: (file: string) => unknown) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-constructs-"));
  try {
    return use(folder, (file) => JSON.parse(readFileSync(path.join(folder, file), "utf8")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
