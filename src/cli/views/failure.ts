import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";
import type { ViewArguments } from "../arguments/command-line";
import { styleFor } from "../printing/style";
import type { Terminal } from "../terminal/terminal";
import { renderDiagnostic } from "./diagnostics";
import { diagnosticEvent } from "./json/events";

/** What is told of something thrown: its own diagnostics, or that it is a fault of steward. */
export function diagnosticsOf(problem: unknown, { env }: Pick<Terminal, "env">): readonly Diagnostic[] {
  if (problem instanceof DiagnosticError) return problem.diagnostics;
  const { message, stack } = problem instanceof Error ? problem : new Error(String(problem));
  const debug = env["STEWARD_LOG"] === "debug" || env["STEWARD_LOG"] === "trace";
  return [
    error({
      code: "internal_error",
      summary: "Internal error",
      detail: [
        `Steward stopped because of an unexpected problem: ${message}`,
        "Your configuration is not the cause. Please report it with the log of STEWARD_LOG=debug.",
        ...(debug && stack !== undefined ? ["", ...stack.split("\n")] : []),
      ],
    }),
  ];
}

/** Shows diagnostics: framed on stderr, or as events on stdout under `--json`. */
export function reportDiagnostics(
  diagnostics: readonly Diagnostic[],
  terminal: Terminal,
  { json, color }: ViewArguments,
): void {
  for (const diagnostic of diagnostics) {
    if (json) terminal.out.line(JSON.stringify(diagnosticEvent(diagnostic)));
    else {
      const { err } = terminal;
      err.lines(renderDiagnostic(diagnostic, styleFor(err, terminal, color), err.columns));
    }
  }
}
