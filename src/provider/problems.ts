import { ApiError } from "../api";
import { type Diagnostic, DiagnosticError, error, mergeDiagnostics } from "../diagnostics";

/**
 * Of several writes to one object some failed. Nothing is under way any more when it is thrown; where `anyDone`,
 * others were done, or may have been, and what they made exists.
 */
export class SomeWritesFailed extends Error {
  override readonly name = "SomeWritesFailed";

  constructor(
    readonly problems: readonly unknown[],
    readonly anyDone: boolean,
  ) {
    super(`${problems.length} of several writes failed`);
  }
}

/**
 * What went wrong, as diagnostics. An error that neither the service nor a rule of ours gave is a fault of the
 * program and is thrown on.
 */
export function toDiagnostics(problem: unknown): Diagnostic[] {
  if (problem instanceof DiagnosticError) return [...problem.diagnostics];
  if (problem instanceof SomeWritesFailed) return mergeDiagnostics(...problem.problems.map(toDiagnostics));
  if (problem instanceof ApiError) {
    const { code, summary, message } = problem;
    return [error({ code, summary, detail: message })];
  }
  throw problem;
}

export const isNotFound = (problem: unknown): boolean =>
  problem instanceof ApiError && problem.code === "not_found";

export const isAlreadyThere = (problem: unknown): boolean =>
  problem instanceof ApiError && problem.code === "already_there";

/** The write may have been done: its answer never came. Of several, none was refused. */
export function isLostAnswer(problem: unknown): boolean {
  if (problem instanceof SomeWritesFailed) return problem.problems.every(isLostAnswer);
  return problem instanceof ApiError && problem.mayHaveBeenDone;
}

/** Turns the service's "not found" into nothing; all else stays an error. */
export async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (problem) {
    if (isNotFound(problem)) return undefined;
    throw problem;
  }
}
