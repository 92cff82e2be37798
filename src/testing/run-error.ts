import { PLAIN, renderDiagnostic } from "../cli";
import type { Diagnostic } from "../engine";

/** A run of a test ended with errors. The message has them as the command prints them. */
export class TestRunError extends Error {
  override readonly name = "TestRunError";
  /** The errors and warnings, with the codes of docs/errors.md. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    super(["The run failed.", ...errors.flatMap((one) => renderDiagnostic(one, PLAIN))].join("\n"));
    this.diagnostics = diagnostics;
  }
}
