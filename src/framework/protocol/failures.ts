import {
  type Diagnostic,
  DiagnosticError,
  type DiagnosticPath,
  type ErrorCode,
  error,
  mergeDiagnostics,
} from "../../diagnostics";
import type { Resolution } from "../../schema";

/**
 * The meaning of a failed request for the framework:
 * - `gone`: the object does not exist, or the token can't see it (HTTP: 404).
 * - `alreadyThere`: the object to create exists.
 * - `maybeDone`: the response to a change was lost, so the service may have executed it.
 * - `refused`: the token lacks permission (HTTP: 403).
 * - `failed`: any other failure.
 */
export type FailureKind = "gone" | "alreadyThere" | "maybeDone" | "refused" | "failed";

/** A failed request in the terms of the framework. A provider maps each error of its client to a `Failure`. */
export interface Failure {
  readonly kind: FailureKind;
  /** The registered code of the failure's diagnostic. */
  readonly code: ErrorCode;
  /** A short sentence without names. Equal failures have equal summaries. */
  readonly summary: string;
  /** The problem, its reason, and how to fix it. */
  readonly detail: string;
  /** A text that identifies the cause. Steward reports failures with equal causes only once. */
  readonly cause?: string;
  /** The message of the service. The diagnostic contains the attribute that this message names. */
  readonly serviceMessage?: string;
  /** For `maybeDone`: whether the service can still execute the change after the client stopped waiting. */
  readonly mayBeDoneLater?: boolean;
  /** The time that the service asks the client to wait, in milliseconds. */
  readonly retryAfter?: number;
  /**
   * For `maybeDone`: the response that does not show the outcome. After a response that does not show the outcome, the change is
   * never sent again.
   */
  readonly answered?: UnprovenAnswer;
}

/** A response to a change that shows neither success nor refusal. The outcome of the change is then unknown. */
export interface UnprovenAnswer {
  /** The name of the client's operation, such as `things.update`. */
  readonly operation: string;
  /** The method and path of the request, such as `PUT /things/1`. */
  readonly request: string;
  /** The text of the warning, if a read shows the outcome of the change. */
  readonly detail: string;
  /** Whether the service has accepted the request for later (HTTP: 202). */
  readonly isPending: boolean;
}

/** The error for a failure that a lifecycle function detects itself, such as an existing object that blocks a create. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure";

  constructor(readonly failure: Failure) {
    super(failure.detail);
  }
}

/** Classifies the errors of a provider's client and lifecycle functions. */
export class Failures {
  /** @param map converts an error of the client to a failure; returns undefined for any other error */
  constructor(private readonly map: (problem: unknown) => Failure | undefined) {}

  /** Returns the failure of an error; undefined for an internal error, or if several writes failed. */
  readonly of = (problem: unknown): Failure | undefined =>
    problem instanceof ServiceFailure ? problem.failure : this.map(problem);

  readonly isGone = (problem: unknown): boolean => this.of(problem)?.kind === "gone";

  readonly isAlreadyThere = (problem: unknown): boolean => this.of(problem)?.kind === "alreadyThere";

  /**
   * Returns whether the service refused a change. For a change with several writes, returns true only if the service refused all
   * failed writes.
   */
  readonly isRefused = (problem: unknown): boolean =>
    problem instanceof SomeWritesFailed
      ? problem.failures.every((failure) => this.isRefused(failure.problem))
      : this.of(problem)?.kind === "refused";

  /**
   * Returns the error and the failure of a change whose response was lost; undefined if there is none. If there are several
   * errors, returns the error with the longest wait.
   */
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

  /** Returns the responses that do not show the outcome of a change or of its writes; undefined if there are none. */
  whenUnproven(problem: unknown): readonly UnprovenAnswer[] | undefined {
    if (problem instanceof SomeWritesFailed) {
      const answers = problem.failures.flatMap((failure) => this.whenUnproven(failure.problem) ?? []);
      return answers.length === 0 ? undefined : answers;
    }
    const answered = this.of(problem)?.answered;
    return answered && [answered];
  }

  /**
   * Returns the error for a change after a read has shown that the service did not execute it. If the outcome of several writes
   * is unknown, returns the given error, because one read does not prove that no write was executed.
   */
  notExecuted(problem: unknown): unknown {
    if ((this.whenUnproven(problem)?.length ?? 0) !== 1) return problem;
    if (problem instanceof SomeWritesFailed)
      return new SomeWritesFailed(
        problem.failures.map((one) => ({ ...one, problem: this.notExecuted(one.problem) })),
        problem.isAnyDone,
      );
    const failure = this.of(problem);
    if (failure?.answered === undefined || failure.answered.isPending) return problem;
    const detail = `${failure.answered.detail} A read afterwards shows that the change was not executed.`;
    return new ServiceFailure({ ...failure, detail });
  }

  /** Returns the result of a read; undefined after a `gone` failure. Other errors are rethrown. */
  readonly orNothing = async <T>(reading: Resolution<T>): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (problem) {
      if (this.isGone(problem)) return undefined;
      throw problem;
    }
  };

  /** Returns the result of a read, or `otherwise` if one of its requests fails. Internal errors are rethrown. */
  readonly orElse = async <T, U>(reading: Resolution<T>, otherwise: U): Promise<T | U> => {
    try {
      return await reading;
    } catch (problem) {
      this.throwUnlessFailure(problem);
      return otherwise;
    }
  };

  /** Returns the diagnostics of a failure. Rethrows internal errors. */
  toDiagnostics(problem: unknown): Diagnostic[] {
    if (problem instanceof DiagnosticError) return [...problem.diagnostics];
    if (problem instanceof SomeWritesFailed) {
      return mergeDiagnostics(
        ...problem.failures.map(({ attribute, problem: cause }) =>
          this.toDiagnostics(cause).map((one) => (attribute ? { ...one, attribute } : one)),
        ),
      );
    }
    const failure = this.of(problem);
    if (failure === undefined) throw problem;
    const { code, summary, detail, cause } = failure;
    return [error({ code, summary, detail, ...(cause !== undefined && { cause }) })];
  }

  /** Rethrows an internal error. Ignores a failed request, because the caller already reports another failure. */
  throwUnlessFailure(problem: unknown): void {
    this.toDiagnostics(problem);
  }
}

/** A failed write, with the path of the attribute or element that it should have changed. */
interface FailedWrite {
  readonly attribute?: DiagnosticPath;
  readonly problem: unknown;
}

/**
 * The error for an object with several writes, if at least one failed. The error is thrown when no request is in flight.
 * `isAnyDone` is true if the service has executed other writes, or may have executed them.
 */
export class SomeWritesFailed extends Error {
  override readonly name = "SomeWritesFailed";

  constructor(
    readonly failures: readonly FailedWrite[],
    readonly isAnyDone: boolean,
  ) {
    super(`${failures.length} of several writes failed`);
  }
}

/** A request in flight, with the path of the attribute or element that the request changes. */
export interface Write {
  readonly attribute: DiagnosticPath;
  readonly answer: Promise<unknown>;
}

/** The writes of one object, in groups of independent requests. */
export class WriteBatch {
  #isAnyDone = false;

  /**
   * Waits for all writes of a group, even if one fails, so that no request is in flight afterwards.
   *
   * @throws SomeWritesFailed with every failure of the group
   */
  async all(group: readonly Write[]): Promise<void> {
    const results = await Promise.allSettled(group.map(({ answer }) => answer));
    const failures: FailedWrite[] = [];
    for (const [index, result] of results.entries()) {
      if (result.status === "fulfilled") this.#isAnyDone = true;
      else failures.push({ attribute: group[index]!.attribute, problem: result.reason });
    }
    if (failures.length > 0) throw new SomeWritesFailed(failures, this.#isAnyDone);
  }
}

/** Waits for a write. Ignores an error for which `isSo` returns true, because the service already has the requested value. */
export async function unless(isSo: (problem: unknown) => boolean, write: Promise<unknown>): Promise<void> {
  await write.catch((problem: unknown) => {
    if (!isSo(problem)) throw problem;
  });
}

/**
 * The error if a write succeeded and the next read of the object failed. The object exists. Until the next refresh, the state
 * contains the sent values.
 */
export class NotReadBack<Made = unknown> extends Error {
  override readonly name = "NotReadBack";

  /** @param made the created or changed object, with the values from the request and its response */
  constructor(
    readonly made: Made,
    readonly problem: unknown,
  ) {
    super("the written object could not be read");
  }
}
