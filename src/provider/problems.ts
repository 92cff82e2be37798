import { ApiError } from "../api";
import {
  type Diagnostic,
  DiagnosticError,
  type DiagnosticPath,
  error,
  formatPath,
  mergeDiagnostics,
} from "../diagnostics";

/** A write that failed, and the attribute or element that it was for. */
export interface FailedWrite {
  readonly attribute?: DiagnosticPath;
  readonly problem: unknown;
}

/**
 * Of several writes to one object some failed. Nothing is under way any more when it is thrown; where `anyDone`,
 * others were done, or may have been, and what they made exists.
 */
export class SomeWritesFailed extends Error {
  override readonly name = "SomeWritesFailed";

  constructor(
    readonly failures: readonly FailedWrite[],
    readonly anyDone: boolean,
  ) {
    super(`${failures.length} of several writes failed`);
  }
}

/**
 * What went wrong, as diagnostics. An error that neither the service nor a rule of ours gave is a fault of the
 * program and is thrown on.
 */
export function toDiagnostics(problem: unknown): Diagnostic[] {
  if (problem instanceof DiagnosticError) return [...problem.diagnostics];
  if (problem instanceof SomeWritesFailed) return mergeDiagnostics(...problem.failures.map(ofFailedWrite));
  if (problem instanceof ApiError) {
    const { code, summary, message, serviceMessage = "" } = problem;
    // A role that is too low is met by every object; another reason is in the service's words.
    return [
      error({ code, summary, detail: message, ...(code === "forbidden" && { cause: serviceMessage }) }),
    ];
  }
  throw problem;
}

/** Throws a fault of the program on; whatever else went wrong counts for nothing beside what is told already. */
export function throwUnlessTold(problem: unknown): void {
  toDiagnostics(problem);
}

const ofFailedWrite = ({ attribute, problem }: FailedWrite): Diagnostic[] =>
  toDiagnostics(problem).map((one) =>
    attribute === undefined ? one : { ...one, detail: `${formatPath(attribute)}: ${one.detail}`, attribute },
  );

export const isNotFound = (problem: unknown): boolean =>
  problem instanceof ApiError && problem.code === "not_found";

export const isAlreadyThere = (problem: unknown): boolean =>
  problem instanceof ApiError && problem.code === "already_there";

/** The answer that never came, so that the write may have been done; of several writes, the one to wait for longest. */
export function lostAnswer(problem: unknown): ApiError | undefined {
  if (problem instanceof SomeWritesFailed) {
    const lost = problem.failures.flatMap((failure) => lostAnswer(failure.problem) ?? []);
    const pause = ({ retryAfter = 0, mayBeDoneLater }: ApiError) => retryAfter + (mayBeDoneLater ? 1 : 0);
    return lost.sort((one, other) => pause(other) - pause(one))[0];
  }
  return problem instanceof ApiError && problem.mayHaveBeenDone ? problem : undefined;
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
