import { diagnosticsOf } from "../../../src/cli/views/diagnostics";
import { DiagnosticError, error } from "../../../src/diagnostics";

describe("an exception", () => {
  test("with diagnostics is reported by them", () => {
    const diagnostic = error({ code: "conflict", summary: "S", detail: "D" });
    expect(diagnosticsOf(new DiagnosticError(diagnostic), { env: {} })).toEqual([diagnostic]);
  });

  test.each([new TypeError("x is no function"), "a text", undefined])(
    "else (%p) is a fault of steward",
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

  test("includes its stack trace only with STEWARD_LOG=debug", () => {
    const [diagnostic] = diagnosticsOf(new Error("boom"), { env: { STEWARD_LOG: "debug" } });
    expect(diagnostic?.detail).toContain("    at ");
  });
});
