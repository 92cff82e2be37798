import { type HttpErrorCode, type RequestInfo, StatusError } from "./errors";
import { announcedPause, describePause } from "./rate-limit";
import { readServiceMessage } from "./service-message";
import type { HttpResponse } from "./transport";

const CODES: Readonly<Record<number, HttpErrorCode>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  409: "conflict",
  414: "uri_too_long",
  422: "unprocessable",
  429: "rate_limited",
  500: "service_failed",
  502: "service_unavailable",
  503: "service_unavailable",
  504: "service_unavailable",
};

/** The code of a refusal that the status alone doesn't determine; undefined where it does. */
export type RefusalCode = (answer: HttpResponse, serviceMessage: string) => HttpErrorCode | undefined;

export interface StatusErrorRules {
  readonly refusalCode: RefusalCode;
  /** Removes the credentials from text of the service. */
  readonly redact: (text: string) => string;
}

/**
 * Creates the error of a response that is no success; `wasLost` says that an earlier attempt got no response.
 */
export function statusError(
  answer: HttpResponse,
  request: RequestInfo,
  wasLost: boolean,
  { refusalCode, redact }: StatusErrorRules,
): StatusError {
  const { status } = answer;
  const isChange = request.method !== "GET";
  const serviceMessage = readServiceMessage(answer, redact);
  const code = codeOf(answer, isChange) ?? refusalCode(answer, serviceMessage ?? "") ?? CODES[status];
  const now = Date.now();
  const retryAfter = announcedPause(answer, now);
  const quoted = serviceMessage === undefined ? "" : `, "${serviceMessage}"`;
  const what = `the service answered ${status}${quoted}${retryAfter ? `, and asks to wait ${describePause(retryAfter, now)}` : ""}`;
  return new StatusError({
    code: code ?? "unexpected_status",
    request,
    what,
    status,
    ...(serviceMessage !== undefined && { serviceMessage }),
    ...(retryAfter !== undefined && { retryAfter }),
    // After a server error a change may be partly executed; a proxy responds 503 to a broken connection too.
    mayHaveBeenDone: isChange && (wasLost || status >= 500),
    mayBeDoneLater: isChange && status === 504,
  });
}

function codeOf({ status }: HttpResponse, isChange: boolean): HttpErrorCode | undefined {
  // A gateway timed out: the service behind it may have executed the change, and its response was lost.
  if (isChange && (status === 502 || status === 504)) return "lost_answer";
  return status >= 300 && status < 400 ? "redirect_refused" : undefined;
}
