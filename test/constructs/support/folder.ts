import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Calls with a folder of its own, and with what reads JSON from it; the folder is gone afterwards. */
export function inFolder<T>(use: (folder: string, read: (file: string) => unknown) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-constructs-"));
  try {
    return use(folder, (file) => JSON.parse(readFileSync(path.join(folder, file), "utf8")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
