import { createHash } from "node:crypto";
import {
  createDispatcher,
  doublingRetries,
  encodingOf,
  HttpError,
  type HttpResponse,
  isTransientStatus,
  RequestSender,
  systemClock,
  UNLIMITED,
} from "../../http";
import type { HttpBackendConfig } from "./http-config";
import { compressedProblem, IDLE_TIMEOUT_MS, requestProblem } from "./http-problems";

/** Statuses of a saved state, and of a missing one. */
export const SAVED: ReadonlySet<number> = new Set([200, 201, 204]);
export const NO_STATE: ReadonlySet<number> = new Set([204, 404]);

/** Connections to one origin; a run sends its requests one after the other. */
const CONNECTIONS = 2;

/**
 * Sends the requests of the `http` backend with credentials and retries: all of them are idempotent.
 * Redirects are not followed: they could lead the credentials elsewhere.
 */
export class HttpTransport {
  /** By origin. Private, because they hold the client's key. */
  readonly #senders = new Map<string, RequestSender>();

  constructor(private readonly config: HttpBackendConfig) {}

  /** Reads the content of a URL. @throws DiagnosticError like `send`, and `state_http_too_large` */
  async read(url: URL): Promise<HttpResponse> {
    const answer = await this.#request("GET", url, undefined, true);
    const encoding = encodingOf(answer);
    if (encoding !== undefined) compressedProblem(encoding, url);
    return answer;
  }

  /**
   * Sends a change, and returns the response whatever its status. The body is kept up to the size of a lock.
   *
   * @throws DiagnosticError `state_http_unreachable`, `state_http_timeout`, `state_http_failed`
   */
  send(method: string, url: URL, body: string): Promise<HttpResponse> {
    return this.#request(method, url, body, false);
  }

  async #request(
    method: string,
    url: URL,
    body: string | undefined,
    isBodyRead: boolean,
  ): Promise<HttpResponse> {
    const { authorization } = this.config;
    try {
      return await this.#senderFor(url).send({
        info: { operation: "state", method, path: url.pathname },
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
        accepts: (status) => !isTransientStatus(status),
      });
    } catch (problem) {
      if (!(problem instanceof HttpError)) throw problem;
      throw requestProblem(problem, method, url, this.config);
    }
  }

  #senderFor({ origin }: URL): RequestSender {
    const known = this.#senders.get(origin);
    if (known !== undefined) return known;
    const { config } = this;
    const connection = {
      origin,
      ca: config.caCertificatePem,
      isOnlyAuthority: true,
      skipVerification: config.skipCertVerification,
      clientCertificate: config.clientCertificatePem,
      clientKey: config.clientPrivateKeyPem?.(),
      proxy: config.proxyFor(new URL(origin)),
      connections: CONNECTIONS,
      idleTimeout: IDLE_TIMEOUT_MS,
    };
    const sender = new RequestSender(
      {
        root: { origin, prefix: "" },
        retry: doublingRetries({
          maxRetries: config.retryMax,
          firstPause: config.retryWaitMinMs,
          maxPause: config.retryWaitMaxMs,
        }),
        maxRedirects: 0,
        requestTimeout: config.timeoutMs,
        totalTimeout: config.timeoutMs,
        maxAnswerBytes: config.maxBytes,
        refusalCode: () => undefined,
        redact: () => "",
        open: () => createDispatcher(connection),
        clock: systemClock,
        onEvent: undefined,
      },
      UNLIMITED,
    );
    this.#senders.set(origin, sender);
    return sender;
  }
}

const md5 = (body: string): string => createHash("md5").update(body).digest("base64");
