import { DiagnosticError, type DiagnosticText, error, fail } from "../../diagnostics";
import { describePause, type HttpError, type HttpResponse } from "../../http";
import type { HttpBackendConfig } from "./http-config";
import { codeOf } from "./io-errors";

/** Milliseconds without a received byte after which an attempt fails. */
export const IDLE_TIMEOUT_MS = 60_000;

/** URLs in messages: a query may contain a token. */
export const safeUrl = (url: URL): string => `${url.origin}${url.pathname}`;

const waitText = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "" : `, and asks to wait ${describePause(milliseconds, Date.now())}`;

/** The error for an unexpected status; `hint` is an additional remedy. */
export function statusProblem({ status }: HttpResponse, method: string, url: URL, hint = ""): never {
  throw refused(status, method, url, "", hint);
}

function refused(status: number, method: string, url: URL, retryText: string, hint = ""): DiagnosticError {
  const text: Omit<DiagnosticText, "detail"> & { remedy: string } =
    status === 401 || status === 403
      ? {
          code: "state_http_refused",
          summary: "State storage refuses the credentials",
          remedy:
            "Check `username` and `password` of the backend (or TF_HTTP_USERNAME and TF_HTTP_PASSWORD), and what that user may do",
        }
      : {
          code: "state_http_failed",
          summary: "State storage returned an error",
          remedy: "Check the URLs and methods of the backend, and the server",
        };
  const { remedy, ...rest } = text;
  const detail = `${method} ${safeUrl(url)} returned status ${status}${retryText}. ${remedy}. ${hint}`;
  return new DiagnosticError(error({ ...rest, detail: detail.trimEnd() }));
}

/** The error for a compressed state. */
export const compressedProblem = (encoding: string, url: URL): never =>
  fail({
    code: "state_http_failed",
    summary: "State storage returned an error",
    detail:
      `GET ${safeUrl(url)} returned a compressed state (${JSON.stringify(encoding)}), which ` +
      "was not requested. Check the server or the proxy before it, and disable compression there.",
  });

/** The error for a request without a usable response. */
export function requestProblem(
  problem: HttpError,
  method: string,
  url: URL,
  { maxBytes, timeoutMs }: Pick<HttpBackendConfig, "maxBytes" | "timeoutMs">,
): DiagnosticError {
  const { status, code, mayHaveBeenDone, mayBeDoneLater, retryAfter } = problem;
  const where = `${method} ${safeUrl(url)}`;
  const uncertainty = mayHaveBeenDone ? " It was sent, and may have been executed." : "";
  const cause = codeOf(problem.cause);
  if (status !== undefined) return refused(status, method, url, waitText(retryAfter));
  if (code === "invalid_option") return proxyProblem();
  if (code === "unexpected_answer") return sizeProblem(where, maxBytes);
  if (code === "timeout" || mayBeDoneLater) {
    return timeoutProblem(where, cause === undefined ? timeoutMs : IDLE_TIMEOUT_MS, uncertainty);
  }
  return new DiagnosticError(
    error({
      code: "state_http_unreachable",
      summary: "State storage does not respond",
      detail:
        `${where} got no response (${cause ?? code}).${uncertainty} Check the URL, the network and ` +
        "the certificates, and run the command again.",
    }),
  );
}

const proxyProblem = (): DiagnosticError =>
  new DiagnosticError(
    error({
      code: "state_http_configuration",
      summary: 'Backend "http" is not set up',
      detail:
        "The proxy in the environment is not a valid URL. Correct HTTPS_PROXY or HTTP_PROXY, or " +
        "unset it.",
    }),
  );

const sizeProblem = (where: string, maxBytes: number): DiagnosticError =>
  new DiagnosticError(
    error({
      code: "state_http_too_large",
      summary: "State is too large",
      detail:
        `${where} returned more than the limit of ${maxBytes} bytes. Nothing was changed. Check ` +
        "the URL; if the state is that large, raise STEWARD_STATE_MAX_BYTES.",
    }),
  );

const timeoutProblem = (where: string, milliseconds: number, uncertainty: string): DiagnosticError =>
  new DiagnosticError(
    error({
      code: "state_http_timeout",
      summary: "State storage takes too long",
      detail:
        `${where} got no complete response within ${milliseconds / 1000} seconds.${uncertainty} Check ` +
        "the server and the network; if they need longer, raise STEWARD_STATE_TIMEOUT.",
    }),
  );
