import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";

/** What is told of a program that failed in something of which people see nothing else: its own words. */
export const engineFailure = (what: string, said: string, address?: string): Diagnostic =>
  error({
    code: "engine_failed",
    summary: "The engine failed",
    detail: [`${what}. The engine said:`, ...indented(said)],
    ...(address !== undefined && { address }),
  });

export function engineFailed(what: string, said: string): never {
  throw new DiagnosticError([engineFailure(what, said)]);
}

export const indented = (text: string): string[] =>
  text
    .trim()
    .split("\n")
    .map((line) => `    ${line}`.trimEnd());
