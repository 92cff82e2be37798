import { ApiError, type ApiErrorCode } from "../api";
import { type Failure, type FailureKind, Failures } from "../framework";

const KINDS: Partial<Record<ApiErrorCode, FailureKind>> = {
  not_found: "gone",
  already_there: "alreadyThere",
  forbidden: "refused",
};

/** What an error of the API's client means to the framework. */
export function failureOf(problem: unknown): Failure | undefined {
  if (!(problem instanceof ApiError)) return undefined;
  const {
    code,
    summary,
    message,
    serviceMessage = "",
    mayHaveBeenDone,
    mayBeDoneLater,
    retryAfter,
  } = problem;
  return {
    kind: mayHaveBeenDone ? "maybeDone" : (KINDS[code] ?? "failed"),
    code,
    summary,
    detail: message,
    // A role that is too low is met by every object; another reason is in the service's words.
    ...((code === "forbidden" || code === "feature_off") && { cause: serviceMessage }),
    serviceMessage,
    mayBeDoneLater,
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** For lifecycles that tell failures apart themselves. */
export const { isGone, isAlreadyThere, orNothing } = new Failures(failureOf);
