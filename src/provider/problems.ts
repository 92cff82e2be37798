import { ApiError } from "../api";
import { type AttributePath, type Diagnostic, DiagnosticError, error } from "../diagnostics";

/**
 * What went wrong, as diagnostics. An error that neither the service nor a rule of ours gave is a fault of the
 * program and is thrown on.
 */
export function toDiagnostics(problem: unknown, attribute?: AttributePath): Diagnostic[] {
  if (problem instanceof DiagnosticError) return [...problem.diagnostics];
  if (problem instanceof ApiError) {
    const { code, summary, message } = problem;
    return [error({ code, summary, detail: message, ...(attribute && { attribute }) })];
  }
  throw problem;
}

export const isNotFound = (problem: unknown): boolean => problem instanceof ApiError && problem.code === "not_found";

export const isAlreadyThere = (problem: unknown): boolean =>
  problem instanceof ApiError && problem.code === "already_there";

/** The write may have been done: its answer never came. */
export const isLostAnswer = (problem: unknown): boolean => problem instanceof ApiError && problem.mayHaveBeenDone;

/** Waits for all of them, then fails with the first failure: nothing is under way any more when it throws. */
export async function settleAll(promises: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Passes over one kind of refusal: what was asked for is so already. */
export async function unless(isSo: (problem: unknown) => boolean, write: Promise<unknown>): Promise<void> {
  await write.catch((problem: unknown) => {
    if (!isSo(problem)) throw problem;
  });
}
