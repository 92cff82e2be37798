import { DiagnosticError, type DiagnosticText, error, fail } from "../../diagnostics";
import { describePause, type HttpError, type HttpResponse } from "../../http";
import type { HttpBackendConfig } from "./http-config";
import { codeOf } from "./io-errors";

/** Milliseconds without a byte of an answer, after which a try is given up. */
export const IDLE_TIMEOUT_MS = 60_000;

/** Addresses as messages name them: a query may hold a token. */
export const addressText = (url: URL): string => `${url.origin}${url.pathname}`;

const waitText = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "" : `, and asks to wait ${describePause(milliseconds, Date.now())}`;

/** The error for an answer that says neither yes nor why not; `hint` is one more way to mend it. */
export function refuseAnswer({ status }: HttpResponse, method: string, url: URL, hint = ""): never {
  throw refused(status, method, url, "", hint);
}

function refused(status: number, method: string, url: URL, asks: string, hint = ""): DiagnosticError {
  const text: Omit<DiagnosticText, "detail"> & { mend: string } =
    status === 401 || status === 403
      ? {
          code: "state_http_refused",
          summary: "State storage refuses the credentials",
          mend: "Check `username` and `password` of the backend (or TF_HTTP_USERNAME and TF_HTTP_PASSWORD), and what that user may do",
        }
      : {
          code: "state_http_failed",
          summary: "State storage answered with an error",
          mend: "Check the address and the methods of the backend, and look at the server",
        };
  const { mend, ...rest } = text;
  const detail = `${method} ${addressText(url)} was answered with status ${status}${asks}. ${mend}. ${hint}`;
  return new DiagnosticError(error({ ...rest, detail: detail.trimEnd() }));
}

/** The error for a state that came compressed. */
export const refusePacked = (encoding: string, url: URL): never =>
  fail({
    code: "state_http_failed",
    summary: "State storage answered with an error",
    detail:
      `GET ${addressText(url)} was answered with a compressed state (${JSON.stringify(encoding)}), which was not asked for. ` +
      "Look at the server, or at the proxy before it, and switch compression off there.",
  });

/** The error for a request that has no answer, or none that is of use. */
export function explain(
  problem: HttpError,
  method: string,
  url: URL,
  { maxBytes, timeoutMs }: Pick<HttpBackendConfig, "maxBytes" | "timeoutMs">,
): DiagnosticError {
  const { status, code, mayHaveBeenDone, mayBeDoneLater, retryAfter } = problem;
  const where = `${method} ${addressText(url)}`;
  const isLost = mayHaveBeenDone ? " It was sent, and may have been done." : "";
  const cause = codeOf(problem.cause);
  if (status !== undefined) return refused(status, method, url, waitText(retryAfter));
  if (code === "invalid_option") return wrongProxy();
  if (code === "unexpected_answer") return tooLarge(where, maxBytes);
  if (code === "timeout" || mayBeDoneLater) {
    return tooSlow(where, cause === undefined ? timeoutMs : IDLE_TIMEOUT_MS, isLost);
  }
  return new DiagnosticError(
    error({
      code: "state_http_unreachable",
      summary: "State storage does not answer",
      detail:
        `${where} got no answer (${cause ?? code}).${isLost} Check the address, the network and the certificates, ` +
        "and run the command again.",
    }),
  );
}

const wrongProxy = (): DiagnosticError =>
  new DiagnosticError(
    error({
      code: "state_http_configuration",
      summary: 'Backend "http" is not set up',
      detail: "The proxy in the environment is no address. Correct HTTPS_PROXY or HTTP_PROXY, or unset it.",
    }),
  );

const tooLarge = (where: string, maxBytes: number): DiagnosticError =>
  new DiagnosticError(
    error({
      code: "state_http_too_large",
      summary: "State is too large",
      detail:
        `${where} was answered with more than ${maxBytes} bytes, which is the most that is read. Nothing was changed. ` +
        "Check the address; if the state is that large, raise STEWARD_STATE_MAX_BYTES.",
    }),
  );

const tooSlow = (where: string, milliseconds: number, isLost: string): DiagnosticError =>
  new DiagnosticError(
    error({
      code: "state_http_timeout",
      summary: "State storage takes too long",
      detail:
        `${where} was not answered in full within ${milliseconds / 1000} seconds.${isLost} Look at the server and the network; ` +
        "where they need longer, raise STEWARD_STATE_TIMEOUT.",
    }),
  );
