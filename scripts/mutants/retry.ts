import { faults, type PlantedFault } from "./planted-fault";

export const RETRY_FAULTS: readonly PlantedFault[] = [
  ...faults("retry", "http/retry.ts")(
    [
      "A write whose response was lost is sent again",
      "  return isRepeatable || !failure.isSent;",
      "  return true;",
    ],
    [
      "A write that a proxy failed is sent again",
      "(isRepeatable && isTransient(answer.status));",
      "isTransient(answer.status);",
    ],
    [
      "Nothing is retried",
      "    if (attempt >= maxAttempts || !isRetryable(outcome, isRepeatable)) return undefined;",
      "    if (attempt >= 1 || !isRetryable(outcome, isRepeatable)) return undefined;",
    ],
    [
      "Reads are retried for ever",
      "    if (attempt >= maxAttempts || !isRetryable(outcome, isRepeatable)) return undefined;",
      "    if (!isRetryable(outcome, isRepeatable)) return undefined;",
    ],
  ),
  ...faults("retry", "http/transport.ts")(
    [
      "A request counts as unsent although it was sent",
      "this.#controller !== undefined, cause));",
      "false, cause));",
    ],
    [
      "A response has no time limit",
      '    this.#timer = setTimeout(() => this.#stop("timeout"), limits.timeout);',
      "    this.#timer = setTimeout(() => undefined, 0);",
    ],
    [
      "A cut body counts as whole",
      '    this.#fail(isIdle ? "timeout" : "connection", error);',
      '    if (this.#size > 0) return this.#end();\n    this.#fail(isIdle ? "timeout" : "connection", error);',
    ],
  ),
  ...faults("retry", "framework/operations/create-object.ts")(
    [
      "After a lost response, the create is sent again without a read",
      "      const { found, canBeSentAgain } = await verifyLost(attempt, problem, sent);",
      "      const { found, canBeSentAgain } = { found: undefined as never, canBeSentAgain: sent < 3 };",
    ],
    [
      "After a lost response, the create is neither verified nor kept",
      "      if (!isLost && sent === 1) throw problem;",
      "      if (sent === 1) throw problem;",
    ],
    [
      "An object from before a lost create is taken over",
      "  return !wasThere && isAsSent(definition, declared, unplanned?.withoutIn(declared, found) ?? found);",
      "  return isAsSent(definition, declared, unplanned?.withoutIn(declared, found) ?? found);",
    ],
    [
      "A lost create that could not be verified counts as failed",
      "    const isOpen = isBegun || problem instanceof VerifyFailed;",
      "    const isOpen = isBegun;",
    ],
    [
      "A foreign object is taken over",
      "  const canBeOurs = definition.isEntry === true && !session.isPlanKept;",
      "  const canBeOurs = true;",
    ],
  ),
  ...faults("retry", "framework/operations/delete-object.ts")(
    [
      "A lost delete counts as done",
      "  if (found === undefined) return alreadyGone(session, prior);\n  return isRetryable",
      "  if (found !== null) return { diagnostics: [] };\n  return isRetryable",
    ],
    [
      "A refused delete counts as done",
      "      return notDeleted(session, prior, problem);\n    }",
      "      return { diagnostics: [] };\n    }",
    ],
    [
      "A 404 on a delete is an error",
      "      if (session.failures.isGone(problem)) {",
      "      if (session.failures.isGone(problem) && sent > 1) {",
    ],
  ),
  ...faults("retry", "framework/operations/apply-resource.ts")(
    [
      "A failed update counts as done",
      "      if (failures.whenMaybeDone(problem) === undefined) throw problem;",
      "      if (failures.whenMaybeDone(problem) === undefined) return declared as never;",
    ],
    [
      "A lost update counts as done",
      "      if (!loss.isRetryable) throw problem;",
      "      return declared as never;",
    ],
  ),
];
