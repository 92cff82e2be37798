import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Dispatcher, EnvHttpProxyAgent, request } from "undici";
import { DiagnosticError, type DiagnosticText, error, fail } from "../../diagnostics";
import type { HttpBackendConfig } from "./http-config";
import { codeOf } from "./io-errors";

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** The statuses of a state that was saved, and of a place that has none. */
export const SAVED: ReadonlySet<number> = new Set([200, 201, 204]);
export const NO_STATE: ReadonlySet<number> = new Set([204, 404]);

const TIMEOUT_MS = 60_000;

/**
 * Sends the requests of the `http` backend: with the credentials, and again when the answer was lost or the server
 * failed - each of them does the same when it comes twice. Redirects are not followed: they could lead the
 * credentials elsewhere.
 */
export class HttpTransport {
  /** Holds the client's key: out of sight of whoever prints this object. */
  readonly #dispatcher: Dispatcher;

  constructor(private readonly config: HttpBackendConfig) {
    const tls = {
      rejectUnauthorized: !config.skipCertVerification,
      ...(config.caCertificatePem === undefined ? {} : { ca: config.caCertificatePem }),
      ...(config.clientCertificatePem === undefined ? {} : { cert: config.clientCertificatePem }),
      ...(config.clientPrivateKeyPem === undefined ? {} : { key: config.clientPrivateKeyPem() }),
    };
    this.#dispatcher = new EnvHttpProxyAgent({ connect: tls, requestTls: tls });
  }

  /** @throws DiagnosticError `state_http_unreachable` when no answer came however often it was tried. */
  async send(method: string, url: URL, body?: string): Promise<HttpAnswer> {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= this.config.retryMax;
      try {
        const answer = await this.sendOnce(method, url, body);
        if (isLast || !isPassing(answer.status)) return answer;
      } catch (problem) {
        if (isLast) throw unreachable(problem, method, url);
      }
      await pause(Math.min(this.config.retryWaitMinMs * 2 ** attempt, this.config.retryWaitMaxMs));
    }
  }

  private async sendOnce(method: string, url: URL, body: string | undefined): Promise<HttpAnswer> {
    const { authorization } = this.config;
    const answer = await request(url, {
      method: method as Dispatcher.HttpMethod,
      dispatcher: this.#dispatcher,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      headers: {
        ...(authorization === undefined ? {} : { authorization: authorization() }),
        ...(body === undefined ? {} : { "content-type": "application/json", "content-md5": md5(body) }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.statusCode, body: Buffer.from(await answer.body.arrayBuffer()) };
  }
}

const md5 = (body: string): string => createHash("md5").update(body).digest("base64");

const isPassing = (status: number): boolean => status === 429 || (status >= 500 && status !== 501);

/** Addresses as messages name them: a query may hold a token. */
export const addressText = (url: URL): string => `${url.origin}${url.pathname}`;

function unreachable(problem: unknown, method: string, url: URL): DiagnosticError {
  const cause = codeOf(problem) ?? codeOf((problem as Error).cause) ?? (problem as Error).name;
  return new DiagnosticError(
    error({
      code: "state_http_unreachable",
      summary: "State storage does not answer",
      detail:
        `${method} ${addressText(url)} got no answer (${cause}). Check the address, the network and the certificates, ` +
        `and run the command again.`,
    }),
  );
}

/** The error for an answer that says neither yes nor why not; `hint` is one more way to mend it. */
export function refuseAnswer(answer: HttpAnswer, method: string, url: URL, hint = ""): never {
  const text: Omit<DiagnosticText, "detail"> & { mend: string } =
    answer.status === 401 || answer.status === 403
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
  return fail({
    ...rest,
    detail:
      `${method} ${addressText(url)} was answered with status ${answer.status}. ${mend}. ${hint}`.trimEnd(),
  });
}
