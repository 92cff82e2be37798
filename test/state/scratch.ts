import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Diagnostic, DiagnosticError } from "../../src/diagnostics";

/**
 * Creates a new folder for each test of the file, and removes it afterwards. Returns a function that returns paths in the
 * folder.
 */
export function useScratchFolder(): (...inside: readonly string[]) => string {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "steward-state-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (...inside) => path.join(folder, ...inside);
}

/** Returns the first diagnostic that `work` throws. */
export async function diagnosticOf(work: () => unknown): Promise<Diagnostic> {
  try {
    await work();
  } catch (problem) {
    if (problem instanceof DiagnosticError) return problem.diagnostics[0]!;
    throw problem;
  }
  throw new Error("It ended without an error");
}
