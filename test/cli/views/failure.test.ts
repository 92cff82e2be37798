import { diagnosticsOf } from "../../../src/cli/views/diagnostics";
import { DiagnosticError, error } from "../../../src/diagnostics";

describe("an exception", () => {
  test("for an exception with diagnostics, Steward prints only these diagnostics", () => {
    const diagnostic = error({ code: "conflict", summary: "S", detail: "D" });
    expect(diagnosticsOf(new DiagnosticError(diagnostic), { env: {} })).toEqual([diagnostic]);
  });

  test.each([new TypeError("x is no function"), "a text", undefined])(
    "for an exception without diagnostics (%p), Steward prints one internal error",
    (problem) => {
      const [diagnostic, ...others] = diagnosticsOf(problem, { env: {} });
      expect(others).toEqual([]);
      expect(diagnostic).toMatchObject({
        severity: "error",
        code: "internal_error",
        summary: "Internal error",
      });
      expect(diagnostic?.detail).not.toContain("    at ");
    },
  );

  test("with STEWARD_LOG=debug, an exception is printed with its stack trace", () => {
    const [diagnostic] = diagnosticsOf(new Error("boom"), { env: { STEWARD_LOG: "debug" } });
    expect(diagnostic?.detail).toContain("    at ");
  });
});
