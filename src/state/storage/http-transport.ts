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
import { explain, IDLE_TIMEOUT_MS, refusePacked } from "./http-problems";

/** The statuses of a state that was saved, and of a place that has none. */
export const SAVED: ReadonlySet<number> = new Set([200, 201, 204]);
export const NO_STATE: ReadonlySet<number> = new Set([204, 404]);

/** At the same time, to one origin; a run asks for one thing after the other. */
const CONNECTIONS = 2;

/**
 * Sends the requests of the `http` backend: with the credentials, and again when the answer was lost or the server
 * failed - each of them does the same when it comes twice. Redirects are not followed: they could lead the
 * credentials elsewhere.
 */
export class HttpTransport {
  /** By origin. They hold the client's key: out of sight of whoever prints this object. */
  readonly #deliveries = new Map<string, RequestSender>();

  constructor(private readonly config: HttpBackendConfig) {}

  /** Reads what stands at an address. @throws DiagnosticError as `send` does, and `state_http_too_large` */
  async read(url: URL): Promise<HttpResponse> {
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
  send(method: string, url: URL, body: string): Promise<HttpResponse> {
    return this.#deliver(method, url, body, false);
  }

  async #deliver(
    method: string,
    url: URL,
    body: string | undefined,
    isBodyRead: boolean,
  ): Promise<HttpResponse> {
    const { authorization } = this.config;
    try {
      return await this.#deliveryTo(url).send({
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
      throw explain(problem, method, url, this.config);
    }
  }

  #deliveryTo({ origin }: URL): RequestSender {
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
    const delivery = new RequestSender(
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
    this.#deliveries.set(origin, delivery);
    return delivery;
  }
}

const md5 = (body: string): string => createHash("md5").update(body).digest("base64");
