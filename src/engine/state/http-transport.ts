import { createHash } from "node:crypto";
import { DiagnosticError, type DiagnosticText, error, fail } from "../../diagnostics";
import {
  Delivery,
  describePause,
  doublingRetries,
  encodingOf,
  FREE_TURNS,
  type HttpAnswer,
  HttpError,
  isPassing,
  openDispatcher,
  systemClock,
} from "../../http";
import type { HttpBackendConfig } from "./http-config";
import { codeOf } from "./io-errors";

/** The statuses of a state that was saved, and of a place that has none. */
export const SAVED: ReadonlySet<number> = new Set([200, 201, 204]);
export const NO_STATE: ReadonlySet<number> = new Set([204, 404]);

/** Milliseconds without a byte of an answer, after which a try is given up. */
const IDLE_TIMEOUT_MS = 60_000;
/** At the same time, to one origin; a run asks for one thing after the other. */
const CONNECTIONS = 2;

/**
 * Sends the requests of the `http` backend: with the credentials, and again when the answer was lost or the server
 * failed - each of them does the same when it comes twice. Redirects are not followed: they could lead the
 * credentials elsewhere.
 */
export class HttpTransport {
  /** By origin. They hold the client's key: out of sight of whoever prints this object. */
  readonly #deliveries = new Map<string, Delivery>();

  constructor(private readonly config: HttpBackendConfig) {}

  /** Reads what stands at an address. @throws DiagnosticError as `send` does, and `state_http_too_large` */
  async read(url: URL): Promise<HttpAnswer> {
    const answer = await this.#deliver("GET", url, undefined, true);
    const encoding = encodingOf(answer);
    if (encoding !== undefined) refusePacked(encoding, url);
    return answer;
  }

  /**
   * Sends a change, and gives the answer whatever its status is. Of its body no more is kept than a lock needs.
   *
   * @throws DiagnosticError `state_http_unreachable`, `state_http_timeout`, `state_http_failed`
   */
  send(method: string, url: URL, body: string): Promise<HttpAnswer> {
    return this.#deliver(method, url, body, false);
  }

  async #deliver(
    method: string,
    url: URL,
    body: string | undefined,
    isBodyRead: boolean,
  ): Promise<HttpAnswer> {
    const { authorization } = this.config;
    try {
      return await this.#deliveryTo(url).deliver({
        facts: { operation: "state", method, path: url.pathname },
        request: {
          origin: url.origin,
          method,
          target: `${url.pathname}${url.search}`,
          headers: [
            ...(authorization === undefined ? [] : ["authorization", authorization()]),
            ...(body === undefined ? [] : ["content-type", "application/json", "content-md5", md5(body)]),
          ],
          body,
        },
        isRepeatable: true,
        isBodyRead,
        signals: [],
        accepts: (status) => !isPassing(status),
      });
    } catch (problem) {
      if (!(problem instanceof HttpError)) throw problem;
      throw this.#explain(problem, method, url);
    }
  }

  #deliveryTo({ origin }: URL): Delivery {
    const known = this.#deliveries.get(origin);
    if (known !== undefined) return known;
    const { config } = this;
    const connection = {
      origin,
      ca: config.caCertificatePem,
      isAuthorityAlone: true,
      skipVerification: config.skipCertVerification,
      clientCertificate: config.clientCertificatePem,
      clientKey: config.clientPrivateKeyPem?.(),
      proxy: config.proxyTo(new URL(origin)),
      connections: CONNECTIONS,
      idleTimeout: IDLE_TIMEOUT_MS,
    };
    const delivery = new Delivery(
      {
        home: { origin, prefix: "" },
        retry: doublingRetries({
          maxRetries: config.retryMax,
          firstPause: config.retryWaitMinMs,
          longestPause: config.retryWaitMaxMs,
        }),
        maxRedirects: 0,
        requestTimeout: config.timeoutMs,
        totalTimeout: config.timeoutMs,
        maxAnswerBytes: config.maxBytes,
        refusalCode: () => undefined,
        redact: () => "",
        open: () => openDispatcher(connection),
        clock: systemClock,
        onEvent: undefined,
      },
      FREE_TURNS,
    );
    this.#deliveries.set(origin, delivery);
    return delivery;
  }

  #explain(problem: HttpError, method: string, url: URL): DiagnosticError {
    const { maxBytes, timeoutMs } = this.config;
    const where = `${method} ${addressText(url)}`;
    const isLost = problem.mayHaveBeenDone ? " It was sent, and may have been done." : "";
    if (problem.status !== undefined) {
      return refused(problem.status, method, url, waitText(problem.retryAfter));
    }
    if (problem.code === "invalid_option") {
      return new DiagnosticError(
        error({
          code: "state_http_configuration",
          summary: 'Backend "http" is not set up',
          detail: `The proxy in the environment is no address. Correct HTTPS_PROXY or HTTP_PROXY, or unset it.`,
        }),
      );
    }
    if (problem.code === "unexpected_answer") {
      return new DiagnosticError(
        error({
          code: "state_http_too_large",
          summary: "State is too large",
          detail:
            `${where} was answered with more than ${maxBytes} bytes, which is the most that is read. Nothing was changed. ` +
            "Check the address; if the state is that large, raise STEWARD_STATE_MAX_BYTES.",
        }),
      );
    }
    if (problem.code === "timeout" || problem.mayBeDoneLater) {
      const time = codeOf(problem.cause) === undefined ? timeoutMs : IDLE_TIMEOUT_MS;
      return new DiagnosticError(
        error({
          code: "state_http_timeout",
          summary: "State storage takes too long",
          detail:
            `${where} was not answered in full within ${time / 1000} seconds.${isLost} Look at the server and the network; ` +
            "where they need longer, raise STEWARD_STATE_TIMEOUT.",
        }),
      );
    }
    const cause = codeOf(problem.cause) ?? problem.code;
    return new DiagnosticError(
      error({
        code: "state_http_unreachable",
        summary: "State storage does not answer",
        detail:
          `${where} got no answer (${cause}).${isLost} Check the address, the network and the certificates, ` +
          "and run the command again.",
      }),
    );
  }
}

const md5 = (body: string): string => createHash("md5").update(body).digest("base64");

/** Addresses as messages name them: a query may hold a token. */
export const addressText = (url: URL): string => `${url.origin}${url.pathname}`;

const waitText = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "" : `, and asks to wait ${describePause(milliseconds, Date.now())}`;

/** The error for an answer that says neither yes nor why not; `hint` is one more way to mend it. */
export function refuseAnswer({ status }: HttpAnswer, method: string, url: URL, hint = ""): never {
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

const refusePacked = (encoding: string, url: URL): never =>
  fail({
    code: "state_http_failed",
    summary: "State storage answered with an error",
    detail:
      `GET ${addressText(url)} was answered with a compressed state (${JSON.stringify(encoding)}), which was not asked for. ` +
      "Look at the server, or at the proxy before it, and switch compression off there.",
  });
