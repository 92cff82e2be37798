import {
  type Diagnostic,
  DiagnosticError,
  type ErrorCode,
  error,
  formatPath,
  mergeDiagnostics,
} from "../../diagnostics";
import { type FailedWrite, SomeWritesFailed } from "./write-batch";

/**
 * What a failed request means for what the framework does next:
 * - `gone`: there is no such object, or not for this token (HTTP: 404).
 * - `alreadyThere`: what was to be created exists.
 * - `maybeDone`: a change was sent and its answer was lost, so that nobody knows whether it was done.
 * - `refused`: the service does not let this token do it (HTTP: 403).
 * - `failed`: anything else.
 */
export type FailureKind = "gone" | "alreadyThere" | "maybeDone" | "refused" | "failed";

/** A failed request, in the framework's words: a provider maps each error of its client to one. */
export interface Failure {
  readonly kind: FailureKind;
  /** A registered code of a diagnostic. */
  readonly code: ErrorCode;
  /** A short sentence without names: equal failures have equal summaries. */
  readonly summary: string;
  /** What happened, why, and how to fix it. */
  readonly detail: string;
  /** Failures of one cause are reported once. */
  readonly cause?: string;
  /** The service's own words; attributes that they name are named to the user. */
  readonly serviceMessage?: string;
  /** Of `maybeDone`: the service may be at it still, as nobody waited for the answer any longer. */
  readonly mayBeDoneLater?: boolean;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfter?: number;
}

/** A failure that a lifecycle itself finds, such as something that is in the way of a create. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure";

  constructor(readonly failure: Failure) {
    super(failure.detail);
  }
}

/** Reads what lifecycles and clients throw, by the mapping of one provider. */
export class Failures {
  readonly #map: (problem: unknown) => Failure | undefined;

  /** `map` answers nothing for what is no failure of its client. */
  constructor(map: (problem: unknown) => Failure | undefined) {
    this.#map = map;
  }

  /** The failure that an error stands for; nothing where it is a fault of the program, or several writes failed. */
  readonly of = (problem: unknown): Failure | undefined =>
    problem instanceof ServiceFailure ? problem.failure : this.#map(problem);

  readonly isGone = (problem: unknown): boolean => this.of(problem)?.kind === "gone";

  readonly isAlreadyThere = (problem: unknown): boolean => this.of(problem)?.kind === "alreadyThere";

  /** Whether the service refused it; of several writes, all of them. */
  readonly isRefused = (problem: unknown): boolean =>
    problem instanceof SomeWritesFailed
      ? problem.failures.every((failure) => this.isRefused(failure.problem))
      : this.of(problem)?.kind === "refused";

  /** The change that may have been done; of several writes, the one to wait for longest. */
  whenMaybeDone(problem: unknown): { readonly problem: unknown; readonly failure: Failure } | undefined {
    if (problem instanceof SomeWritesFailed) {
      const lost = problem.failures.flatMap((failure) => this.whenMaybeDone(failure.problem) ?? []);
      const pause = ({ failure: { retryAfter = 0, mayBeDoneLater } }: { readonly failure: Failure }) =>
        retryAfter + (mayBeDoneLater ? 1 : 0);
      return lost.sort((one, other) => pause(other) - pause(one))[0];
    }
    const failure = this.of(problem);
    return failure?.kind === "maybeDone" ? { problem, failure } : undefined;
  }

  /** Turns `gone` into nothing; all else stays an error. */
  readonly orNothing = async <T>(reading: Promise<T>): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (problem) {
      if (this.isGone(problem)) return undefined;
      throw problem;
    }
  };

  /** What went wrong, as diagnostics. A fault of the program is thrown on. */
  toDiagnostics(problem: unknown): Diagnostic[] {
    if (problem instanceof DiagnosticError) return [...problem.diagnostics];
    if (problem instanceof SomeWritesFailed) {
      return mergeDiagnostics(...problem.failures.map((failure) => this.#ofFailedWrite(failure)));
    }
    const failure = this.of(problem);
    if (failure === undefined) throw problem;
    const { code, summary, detail, cause } = failure;
    return [error({ code, summary, detail, ...(cause !== undefined && { cause }) })];
  }

  /** Throws a fault of the program on; any other failure is dropped: the caller reports another one already. */
  throwUnlessFailure(problem: unknown): void {
    this.toDiagnostics(problem);
  }

  #ofFailedWrite({ attribute, problem }: FailedWrite): Diagnostic[] {
    return this.toDiagnostics(problem).map((one) =>
      attribute === undefined
        ? one
        : { ...one, detail: `${formatPath(attribute)}: ${one.detail}`, attribute },
    );
  }
}
