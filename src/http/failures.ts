import {
  CancelledError,
  ConnectionError,
  type HttpError,
  type RequestInfo,
  UnexpectedAnswerError,
} from "./errors";
import type { TransportFailure } from "./transport";

/**
 * Creates the error of an exchange without a response; `wasLost` says that an earlier attempt was sent and
 * got no response.
 */
export function connectionError(
  failure: TransportFailure,
  request: RequestInfo,
  wasLost: boolean,
): HttpError {
  const isGet = request.method === "GET";
  const wasSent = failure.wasSent || wasLost;
  const mayHaveBeenDone = wasSent && !isGet;
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
  if (failure.reason === "too_large" && isGet) {
    return new UnexpectedAnswerError({ ...facts, code: "unexpected_answer", what: why });
  }
  if (isGet ? !failure.wasSent : !wasSent) {
    return new ConnectionError({ ...facts, code: "unreachable", what: `no connection was made: ${why}` });
  }
  if (!isGet) {
    return new ConnectionError({
      ...facts,
      code: "lost_answer",
      what: `it was sent, and its response was lost (${why}): it may have been executed`,
    });
  }
  return failure.reason === "timeout"
    ? new ConnectionError({ ...facts, code: "timeout", what: why })
    : new ConnectionError({ ...facts, code: "connection_lost", what: `the connection broke: ${why}` });
}

/** Why there was no response, in a few words. */
export function describeCause({ reason, cause }: TransportFailure): string {
  if (reason === "timeout") return "no complete response in time";
  if (reason === "too_large") return "the response is larger than max_answer_bytes";
  // Node tries every address of a name and reports all failures in one error with an empty message.
  const [first] = cause instanceof AggregateError ? (cause.errors as Error[]) : [];
  return cause?.message || first?.message || (cause as NodeJS.ErrnoException | undefined)?.code || reason;
}

// undici's errors may carry a socket and the request with its headers: pass on a message and a code alone.
function plainCause(cause: Error): Error {
  const { code } = cause as NodeJS.ErrnoException;
  const plain = new Error(cause.message || code);
  return code === undefined ? plain : Object.assign(plain, { code });
}
