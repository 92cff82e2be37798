import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";
import { quotedLines } from "../../text";

/** What is told of a program that failed in something of which people see nothing else: its own words. */
export const engineFailure = (what: string, said: string, address?: string): Diagnostic =>
  error({
    code: "engine_failed",
    summary: "The engine failed",
    detail: [`${what}. The engine said:`, ...quotedLines(said.trim())],
    ...(address !== undefined && { address }),
  });

export function engineFailed(what: string, said: string): never {
  throw new DiagnosticError([engineFailure(what, said)]);
}
