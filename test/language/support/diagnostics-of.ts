import { type Diagnostic, DiagnosticError } from "../../../src/diagnostics";

/** Returns the diagnostics that a call throws. Returns no diagnostics if the call succeeds. */
export function diagnosticsOf(call: () => unknown): readonly Diagnostic[] {
  try {
    call();
    return [];
  } catch (problem) {
    if (problem instanceof DiagnosticError) return problem.diagnostics;
    throw problem;
  }
}
