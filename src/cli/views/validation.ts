import type { Diagnostic } from "../../diagnostics";
import type { ViewArguments } from "../arguments/command-line";
import { styleFor } from "../printing/style";
import type { Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "./failure";
import { diagnosticJson } from "./json/events";

/** The result of a validation: for people, or as an object in the format of `terraform validate -json`. */
export function writeValidation(
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
  args: ViewArguments,
): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  if (args.json) {
    const result = {
      format_version: "1.0",
      valid: errors === 0,
      error_count: errors,
      warning_count: warnings,
      diagnostics: diagnostics.map(diagnosticJson),
    };
    terminal.out.line(JSON.stringify(result));
    return;
  }
  reportDiagnostics(diagnostics, terminal, args);
  if (errors > 0) return;
  const { green } = styleFor(terminal.out, terminal, args.color);
  const warningPart = warnings > 0 ? `, with ${warnings} ${warnings === 1 ? "warning" : "warnings"}` : "";
  terminal.out.line(`${green("Success!")} The configuration is valid${warningPart}.`);
}
