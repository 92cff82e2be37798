import { type ApiErrorCode, type RequestFacts, StatusError } from "../errors";
import { announcedPause, describePause } from "./rate-limit";
import { isScopeRefusal, readServiceMessage } from "./service-message";
import type { HttpAnswer } from "./transport";

const CODES: Readonly<Record<number, ApiErrorCode>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  414: "uri_too_long",
  422: "unprocessable",
  429: "rate_limited",
  500: "service_failed",
  502: "service_unavailable",
  503: "service_unavailable",
  504: "service_unavailable",
};

/** Makes the error of an answer that is no success; `wasLost` tells of an earlier try that was never answered. */
export function refusal(
  answer: HttpAnswer,
  request: RequestFacts,
  wasLost: boolean,
  redact: (text: string) => string,
): StatusError {
  const { status } = answer;
  const isChange = request.method !== "GET";
  const serviceMessage = readServiceMessage(answer, redact);
  const code = codeOf(answer, isChange, serviceMessage);
  const now = Date.now();
  const retryAfter = announcedPause(answer, now);
  const said = serviceMessage === undefined ? "" : `, "${serviceMessage}"`;
  const what = `the service answered ${status}${said}${retryAfter ? `, and asks to wait ${describePause(retryAfter, now)}` : ""}`;
  return new StatusError({
    code,
    request,
    what,
    status,
    ...(serviceMessage !== undefined && { serviceMessage }),
    ...(retryAfter !== undefined && { retryAfter }),
    // A failure in the middle of a change leaves open how far it came; a proxy answers 503 for a broken connection too.
    mayHaveBeenDone: isChange && (wasLost || status >= 500),
    mayBeDoneLater: isChange && status === 504,
  });
}

function codeOf(answer: HttpAnswer, isChange: boolean, serviceMessage = ""): ApiErrorCode {
  const { status } = answer;
  // A gateway that gave up waiting: what stands behind it may have done the change, and its answer was lost.
  if (isChange && (status === 502 || status === 504)) return "lost_answer";
  if (status >= 300 && status < 400) return "redirect_refused";
  if (status === 403 && isScopeRefusal(answer)) return "insufficient_scope";
  // One thing in three shapes: an allowlist says it with 400, an environment with 409, a taken pattern with 422.
  if ([400, 409, 422].includes(status) && /\balready\b/i.test(serviceMessage)) return "already_there";
  return CODES[status] ?? "unexpected_status";
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
