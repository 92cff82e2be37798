import { type Diagnostic, DiagnosticError } from "../../../src/diagnostics";

/** The diagnostics that a call throws; none if it returns. */
export function diagnosticsOf(call: () => unknown): readonly Diagnostic[] {
  try {
    call();
    return [];
  } catch (problem) {
    if (problem instanceof DiagnosticError) return problem.diagnostics;
    throw problem;
  }
}
