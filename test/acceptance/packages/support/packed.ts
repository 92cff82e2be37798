import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

export const ROOT = path.join(__dirname, "../../../..");
export const run = promisify(execFile);

/** The libraries of constructs. For each library, this provider has a separate package. */
export const LIBRARIES = ["cdktf", "cdktn"] as const;
export type Library = (typeof LIBRARIES)[number];
export const otherThan = (library: Library): Library => LIBRARIES.find((one) => one !== library)!;
export const packageFor = (library: Library): string => `${library}-provider-steward`;

/** A temporary folder with the packages, as `npm run pack` writes them. */
export interface Packed {
  readonly folder: string;
  readonly tarballs: Readonly<Record<Library, string>>;
}

/** Packs before the tests of a suite, and deletes the packages after the tests. The bundles must exist. */
export function usePacked(): Packed {
  const packed = { folder: "", tarballs: { cdktf: "", cdktn: "" } };
  beforeAll(async () => {
    packed.folder = mkdtempSync(path.join(tmpdir(), "steward-packages-"));
    await run(process.execPath, [path.join(ROOT, "scripts/pack/pack.js"), packed.folder]);
    for (const library of LIBRARIES) {
      const name = readdirSync(packed.folder).find((one) => one.startsWith(`${packageFor(library)}-`));
      packed.tarballs[library] = path.join(packed.folder, name!);
    }
  });
  afterAll(() => rmSync(packed.folder, { recursive: true, force: true }));
  return packed;
}
