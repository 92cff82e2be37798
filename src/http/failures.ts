import {
  CancelledError,
  ConnectionError,
  type HttpError,
  type RequestFacts,
  UnexpectedAnswerError,
} from "./errors";
import type { TransportFailure } from "./transport";

/** Makes the error of an exchange that brought no answer; `wasLost` tells of an earlier try that was sent and never answered. */
export function connectionError(
  failure: TransportFailure,
  request: RequestFacts,
  wasLost: boolean,
): HttpError {
  const isRead = request.method === "GET";
  const wasSent = failure.wasSent || wasLost;
  const mayHaveBeenDone = wasSent && !isRead;
  const mayBeDoneLater = mayHaveBeenDone && failure.reason === "timeout";
  const facts = {
    request,
    mayHaveBeenDone,
    mayBeDoneLater,
    ...(failure.cause && { cause: plainCause(failure.cause) }),
  };
  const why = describeCause(failure);
  if (failure.reason === "cancelled") {
    return new CancelledError({ ...facts, code: "cancelled", what: "the caller cancelled it" });
  }
  if (failure.reason === "rate_limited") {
    return new ConnectionError({ ...facts, code: "rate_limited", what: why });
  }
  if (failure.reason === "too_large" && isRead) {
    return new UnexpectedAnswerError({ ...facts, code: "unexpected_answer", what: why });
  }
  if (isRead ? !failure.wasSent : !wasSent) {
    return new ConnectionError({ ...facts, code: "unreachable", what: `no connection was made: ${why}` });
  }
  if (!isRead) {
    return new ConnectionError({
      ...facts,
      code: "lost_answer",
      what: `it was sent, and its answer was lost (${why}): it may have been done`,
    });
  }
  return failure.reason === "timeout"
    ? new ConnectionError({ ...facts, code: "timeout", what: why })
    : new ConnectionError({ ...facts, code: "connection_lost", what: `the connection broke: ${why}` });
}

/** Why there was no answer, in a few words. */
export function describeCause({ reason, cause }: TransportFailure): string {
  if (reason === "timeout") return "no whole answer came in time";
  if (reason === "too_large") return "the answer is larger than max_answer_bytes";
  // Node tries every address of a name and then gives all failures in one, with an empty message of its own.
  const [first] = cause instanceof AggregateError ? (cause.errors as Error[]) : [];
  return cause?.message || first?.message || (cause as NodeJS.ErrnoException | undefined)?.code || reason;
}

// undici's errors may carry a socket and the request with its headers; a message and a code are all that may pass.
function plainCause(cause: Error): Error {
  const { code } = cause as NodeJS.ErrnoException;
  const plain = new Error(cause.message || code);
  return code === undefined ? plain : Object.assign(plain, { code });
}
