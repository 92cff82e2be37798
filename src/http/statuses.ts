import { type HttpErrorCode, type RequestFacts, StatusError } from "./errors";
import { announcedPause, describePause } from "./rate-limit";
import { readServiceMessage } from "./service-message";
import type { HttpAnswer } from "./transport";

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

/** What a service means by a refusal where its status alone doesn't say; undefined where the status does. */
export type RefusalCode = (answer: HttpAnswer, serviceMessage: string) => HttpErrorCode | undefined;

export interface RefusalRules {
  readonly refusalCode: RefusalCode;
  /** Takes the credentials out of a text that the service wrote. */
  readonly redact: (text: string) => string;
}

/** Makes the error of an answer that is no success; `wasLost` tells of an earlier try that was never answered. */
export function refusal(
  answer: HttpAnswer,
  request: RequestFacts,
  wasLost: boolean,
  { refusalCode, redact }: RefusalRules,
): StatusError {
  const { status } = answer;
  const isChange = request.method !== "GET";
  const serviceMessage = readServiceMessage(answer, redact);
  const code = codeOf(answer, isChange) ?? refusalCode(answer, serviceMessage ?? "") ?? CODES[status];
  const now = Date.now();
  const retryAfter = announcedPause(answer, now);
  const said = serviceMessage === undefined ? "" : `, "${serviceMessage}"`;
  const what = `the service answered ${status}${said}${retryAfter ? `, and asks to wait ${describePause(retryAfter, now)}` : ""}`;
  return new StatusError({
    code: code ?? "unexpected_status",
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

function codeOf({ status }: HttpAnswer, isChange: boolean): HttpErrorCode | undefined {
  // A gateway that gave up waiting: what stands behind it may have done the change, and its answer was lost.
  if (isChange && (status === 502 || status === 504)) return "lost_answer";
  return status >= 300 && status < 400 ? "redirect_refused" : undefined;
}
