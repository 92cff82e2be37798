import { createHash } from "node:crypto";
import { DiagnosticError, type DiagnosticText, fail, type Hint } from "../../diagnostics";
import {
  createDispatcher,
  describePause,
  doublingRetries,
  encodingOf,
  HttpError,
  type HttpResponse,
  isTransientStatus,
  RequestSender,
  systemClock,
  textOf,
  UNLIMITED,
} from "../../http";
import { decodeStateText } from "../format/fields";
import { parseState } from "../format/file-format";
import { safeUrl } from "./http-addresses";
import type { HttpBackendConfig } from "./http-config";
import { codeOf } from "./io-errors";

/** Milliseconds without a received byte after which an attempt fails. */
const IDLE_TIMEOUT_MS = 60_000;

const waitText = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "" : `, and asks to wait ${describePause(milliseconds, Date.now())}`;

/** Throws the error for an unexpected status; `hint` is an additional remedy. */
export function statusProblem(
  { status }: Pick<HttpResponse, "status">,
  method: string,
  url: URL,
  { hint, action }: Hint = { hint: "" },
  retryText = "",
): never {
  const text: Omit<DiagnosticText, "detail"> & { remedy: string } =
    status === 401 || status === 403
      ? {
          code: "state_http_refused",
          summary: "State storage refuses the credentials",
          remedy:
            "Check `username` and `password` of the backend (or TF_HTTP_USERNAME and TF_HTTP_PASSWORD), and the permissions of that user",
        }
      : {
          code: "state_http_failed",
          summary: "State storage returned an error",
          remedy: isRedirect(status)
            ? "Steward follows no redirect, because the credentials could reach another server. Set `address`, `lock_address` and `unlock_address` of the backend (or TF_HTTP_ADDRESS and the like) to the address that the server redirects to"
            : "Check the URLs and methods of the backend, and the server",
        };
  const { remedy, ...rest } = text;
  const detail = `${method} ${safeUrl(url)} responded with status ${status}${retryText}. ${remedy}. ${hint}`;
  return fail({ ...rest, detail: detail.trimEnd(), ...(action !== undefined && { action }) });
}

/**
 * Returns true for a response with an HTML page. Some storages respond with a page after they saved a document. A sign-in page
 * comes from a proxy, and the storage then received nothing.
 */
export const isPage = (answer: HttpResponse): boolean =>
  answer.body.length > 0 &&
  (/\bhtml\b/i.test(String(answer.headers["content-type"] ?? "")) || /^\s*</.test(textOf(answer)));

/** Throws the error for a page that a proxy returned instead of the storage. */
export function pageProblem(method: string, url: URL): never {
  return fail({
    code: "state_http_failed",
    summary: "State storage returned a page",
    detail:
      `${method} ${safeUrl(url)} responded with an HTML page, and a state storage does not respond like that. ` +
      "A proxy or a sign-in page may have responded instead. Check the address and the credentials of the backend. " +
      "Then run the command again.",
  });
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/** Throws the error for a request without a usable response. */
function requestProblem(
  problem: HttpError,
  method: string,
  url: URL,
  { maxBytes, timeoutMs }: Pick<HttpBackendConfig, "maxBytes" | "timeoutMs">,
): never {
  const { status, code, mayHaveBeenDone, mayBeDoneLater, retryAfter } = problem;
  const where = `${method} ${safeUrl(url)}`;
  const uncertainty = mayHaveBeenDone ? " The request was sent and may have been executed." : "";
  const cause = codeOf(problem.cause);
  if (status !== undefined) return statusProblem({ status }, method, url, undefined, waitText(retryAfter));
  if (code === "invalid_option")
    return fail({
      code: "state_http_configuration",
      summary: 'Backend "http" is not set up',
      detail:
        "The proxy in the environment is not a valid URL. Correct HTTPS_PROXY or HTTP_PROXY, or unset it.",
    });
  if (code === "unexpected_answer")
    return fail({
      code: "state_http_too_large",
      summary: "Response of the state storage is too large",
      detail: `${where} returned more than the limit of ${maxBytes} bytes. Check the URL. If the state is that large, raise STEWARD_STATE_MAX_BYTES.`,
    });
  if (code === "timeout" || mayBeDoneLater) {
    const milliseconds = cause === undefined ? timeoutMs : IDLE_TIMEOUT_MS;
    return fail({
      code: "state_http_timeout",
      summary: "State storage did not respond in time",
      detail: `${where} got no complete response within ${milliseconds / 1000} seconds.${uncertainty} Check the server and the network. If they need more time, raise STEWARD_STATE_TIMEOUT.`,
    });
  }
  return fail({
    code: "state_http_unreachable",
    summary: "State storage does not respond",
    detail:
      `${where} got no response (${cause ?? code}).${uncertainty} Check the URL, the network and ` +
      "the certificates, and run the command again.",
  });
}

/** The statuses of a response that confirms a save. `NO_STATE` are the statuses for a state that does not exist. */
export const SAVED: ReadonlySet<number> = new Set([200, 201, 204]);
const NO_STATE: ReadonlySet<number> = new Set([204, 404]);
const isRefusal = ({ status }: HttpResponse): boolean => status >= 400 && status < 500;

interface ReadOptions {
  /** An additional remedy in the error for an unexpected status. */
  readonly hint?: string;
  /** Whether a refused read counts as a missing state instead of an error. */
  readonly isOptional?: boolean;
}

/** The number of connections to one origin. A run sends its requests one after the other. */
const CONNECTIONS = 2;

/**
 * Sends the requests of the `http` backend with credentials and retries. All these requests are idempotent. The transport does
 * not follow redirects, because a redirect could send the credentials to another server.
 */
export class HttpTransport {
  /** The senders by origin. The field is private, because senders hold the client's key. */
  readonly #senders = new Map<string, RequestSender>();

  constructor(private readonly config: HttpBackendConfig) {}

  /**
   * Returns the state at a URL, its text and the bytes of the text; undefined if there is no state.
   *
   * @throws DiagnosticError like `send`, and `state_http_too_large`
   */
  async read(url: URL, { hint = "", isOptional = false }: ReadOptions = {}) {
    const answer = await this.#request("GET", url, undefined, true);
    const encoding = encodingOf(answer);
    if (encoding === undefined) {
      if (NO_STATE.has(answer.status) || (isOptional && isRefusal(answer))) return undefined;
      if (answer.status !== 200) statusProblem(answer, "GET", url, { hint: hint ?? "" });
      if (answer.body.length === 0) return undefined;
      const text = decodeStateText(answer.body, safeUrl(url));
      return { text, bytes: answer.body, state: parseState(text, safeUrl(url)) };
    }
    return fail({
      code: "state_http_failed",
      summary: "State storage returned an error",
      detail:
        `GET ${safeUrl(url)} returned a compressed state (${JSON.stringify(encoding)}), which ` +
        "was not requested. Check the server or the proxy before it, and disable compression there.",
    });
  }

  /**
   * Sends a change, and returns the response, even if its status is an error. The body of the response can be cut off
   * if it is longer than a lock.
   *
   * @throws DiagnosticError `state_http_unreachable`, `state_http_timeout`, `state_http_failed`
   */
  send(method: string, url: URL, body: string): Promise<HttpResponse> {
    return this.#request(method, url, body, false);
  }

  /**
   * Saves a document, and returns the response. If the response is an HTML page, the document is read back, because a page does
   * not prove that the document was saved.
   *
   * @param place the address for reading the document
   * @param isOther returns true for a response that the caller handles; the method then returns the response without a check
   * @throws DiagnosticError like `send`, and for any response that does not confirm the save
   */
  async save(
    url: URL,
    text: string,
    {
      place = url,
      hint,
      isOther = () => false,
    }: { readonly place?: URL; readonly hint?: string; readonly isOther?: (answer: HttpResponse) => boolean },
  ): Promise<HttpResponse> {
    const { updateMethod } = this.config;
    const answer = await this.send(updateMethod, url, text);
    if (isOther(answer)) return answer;
    if (!SAVED.has(answer.status)) statusProblem(answer, updateMethod, url, { hint: hint ?? "" });
    if (isPage(answer) && !(await this.#holds(place, text))) pageProblem(updateMethod, url);
    return answer;
  }

  async #holds(url: URL, text: string): Promise<boolean> {
    try {
      return (await this.read(url))?.text === text;
    } catch (problem) {
      // If the document can't be read, nothing proves that it was saved.
      if (problem instanceof DiagnosticError) return false;
      throw problem;
    }
  }

  async #request(method: string, url: URL, body: string | undefined, isBodyRead: boolean) {
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
        isAccepted: (status) => !isTransientStatus(status),
      });
    } catch (problem) {
      if (!(problem instanceof HttpError)) throw problem;
      return requestProblem(problem, method, url, this.config);
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
      isVerificationSkipped: config.skipCertVerification,
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
