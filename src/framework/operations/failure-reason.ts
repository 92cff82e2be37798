import { DiagnosticError } from "../../diagnostics";
import type { Session } from "./session";

/** Why a read failed, as the rest of a sentence. Internal errors are rethrown. */
export function failureReason({ failures }: Pick<Session, "failures">, problem: unknown): string {
  if (problem instanceof DiagnosticError) return asReason(problem.diagnostics[0]!.summary);
  failures.throwUnlessFailure(problem);
  return asReason(failures.of(problem)!.summary);
}

const asReason = (summary: string): string =>
  `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`.replace(/\.$/, "");
