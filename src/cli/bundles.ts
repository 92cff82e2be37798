import { statSync } from "node:fs";
import path from "node:path";

// What `npm run build` makes in `dist/bundle`, seen from `dist/cli`, and from there as well.
const DIST = path.join(__dirname, "..");
const COMPILED = path.join(DIST, ".tsbuildinfo");

export const bundleFile = (name: string): string => path.join(DIST, "bundle", name);

/** Whether a bundle is there, and no older than what the compiler wrote: in a checkout that may run later. */
export const isCurrent = (name: string): boolean => writtenAt(bundleFile(name)) >= writtenAt(COMPILED, 0);

const writtenAt = (file: string, missing = -1): number =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? missing;
