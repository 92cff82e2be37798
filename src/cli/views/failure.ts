import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";
import type { ViewArguments } from "../arguments/command-line";
import { styleFor } from "../printing/style";
import type { Terminal } from "../terminal/terminal";
import { renderDiagnostic } from "./diagnostics";
import { diagnosticEvent } from "./json/events";

/** The diagnostics of a thrown value. Any value but a DiagnosticError is an internal error. */
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
        "This is a bug in Steward, not in your configuration. Please report it with the output " +
          "of STEWARD_LOG=debug.",
        ...(debug && stack !== undefined ? ["", ...stack.split("\n")] : []),
      ],
    }),
  ];
}

/** Reports diagnostics: framed on stderr, or with `--json` as events on stdout. */
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
