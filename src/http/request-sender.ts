import type { Dispatcher } from "undici";
import type { Clock } from "./clock";
import { CancelledError, type HttpError, type RequestInfo } from "./errors";
import type { ApiRoot } from "./pages";
import { announcedPause, readRateLimit } from "./rate-limit";
import type { Permits, Turn } from "./request-limiter";
import {
  connectionError,
  describeCause,
  isRedirect,
  redirectTarget,
  refusedRedirect,
  type StatusErrorRules,
  statusError,
} from "./responses";
import type { AttemptOutcome, RetryPolicy } from "./retry";
import { isAnyAborted, onAnyAbort, Shutdown } from "./shutdown";
import { exchange, type HttpRequest, type HttpResponse, isSuccess, TransportFailure } from "./transport";

/** The request that an event is about. `path` has no query. */
interface RequestEvent {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** The number of the attempt. The first attempt has the number 1. */
  readonly attempt: number;
}

/**
 * The events of a client, for logs and other receivers. An event never contains a header, a query, a body or the
 * token.
 */
export type ClientEvent =
  | (RequestEvent & { readonly type: "request" })
  | (RequestEvent & { readonly type: "answer"; readonly status: number; readonly milliseconds: number })
  | (RequestEvent & { readonly type: "redirect"; readonly to: string })
  | (RequestEvent & { readonly type: "retry"; readonly milliseconds: number; readonly reason: string })
  /** The client has started a pause of this length, during which it sends no request. */
  | { readonly type: "rate_limit"; readonly milliseconds: number; readonly reason: string };

export type EventListener = (event: ClientEvent) => void;

/** A prepared request with the settings that all its attempts share. */
export interface PreparedRequest {
  readonly info: RequestInfo;
  readonly request: HttpRequest;
  readonly isRepeatable: boolean;
  readonly signals: readonly AbortSignal[];
  /** Returns whether the caller handles this status. By default, the caller handles only statuses of success. */
  readonly isAccepted?: (status: number) => boolean;
  /** Whether the caller needs the body of a successful response. Default: true. */
  readonly isBodyRead?: boolean;
  /** Whether the request is sent without waiting for the `RequestGate`. */
  readonly isUnheld?: boolean;
  /** Whether the request is sent before other requests that wait for a permit. */
  readonly isUrgent?: boolean;
}

export interface RequestSenderSettings extends StatusErrorRules {
  readonly root: ApiRoot;
  readonly retry: RetryPolicy;
  /** The maximum number of redirects of one request within its origin. */
  readonly maxRedirects: number;
  /** Timeout of one attempt, in milliseconds. */
  readonly requestTimeout: number;
  /**
   * Timeout of all attempts and the pauses between them, in milliseconds. Announced pauses and waits for a
   * permit don't count.
   */
  readonly totalTimeout: number;
  readonly maxAnswerBytes: number;
  readonly open: () => Dispatcher;
  readonly clock: Clock;
  readonly gate?: RequestGate | undefined;
  /** A signal after which no change is sent. The client only waits for requests in flight. */
  readonly stop?: AbortSignal | undefined;
  readonly onEvent: EventListener | undefined;
}

/** A gate that holds requests back, for example until the client knows whether the service accepts the token. */
export interface RequestGate {
  /**
   * Returns undefined if the request may be sent now. Otherwise, returns a promise: the sender waits for the promise,
   * without holding a permit, and then calls `enter` again. If the promise rejects, the request fails.
   */
  enter(): Promise<void> | undefined;
  /** Records the end of an attempt. `status` is the status of the response; undefined without a response. */
  leave(status: number | undefined): void;
}

/** One request with all its attempts. */
interface Sending {
  readonly prepared: PreparedRequest;
  /** The request; a redirect changes it. */
  request: HttpRequest;
  attempt: number;
  redirects: number;
  /** The time that already counts towards the total timeout, in milliseconds. */
  spent: number;
  /** The response to the last attempt, if it was a 429. */
  lastRefusal: HttpResponse | undefined;
  /** Whether an attempt was sent and got no response, so that the service may have executed the request. */
  isLost: boolean;
}

/** Sends a request with permits, retries, pauses and redirects. */
export class RequestSender {
  readonly #settings: RequestSenderSettings;
  readonly #permits: Permits;
  readonly #shutdown: Shutdown;
  #dispatcher: Dispatcher | undefined;

  constructor(settings: RequestSenderSettings, permits: Permits) {
    this.#settings = settings;
    this.#permits = permits;
    this.#shutdown = new Shutdown(settings.stop, settings.requestTimeout, () => permits.isPaused);
  }

  /**
   * Returns the response if the caller accepts the status. If the caller does not accept the status, throws the
   * matching error.
   */
  async send(prepared: PreparedRequest): Promise<HttpResponse> {
    const { info, request, isRepeatable, signals, isAccepted = isSuccess } = prepared;
    const sending: Sending = {
      prepared,
      request,
      attempt: 1,
      redirects: 0,
      spent: 0,
      lastRefusal: undefined,
      isLost: false,
    };
    for (;;) {
      const outcome = await this.#attempt(sending);
      const { answer, failure } = outcome;
      if (answer && isAccepted(answer.status)) return answer;
      if (answer && isRedirect(answer.status)) {
        this.#followRedirect(sending, answer);
        continue;
      }
      if (failure?.reason !== "rate_limited")
        sending.lastRefusal = answer?.status === 429 ? answer : undefined;
      sending.isLost ||= failure?.isSent ?? false;
      const pause = this.#settings.retry(outcome, sending.attempt, isRepeatable);
      if (pause === undefined || sending.spent + pause >= this.#settings.totalTimeout) {
        throw this.#error(sending, outcome);
      }
      this.#emit({
        type: "retry",
        ...info,
        attempt: sending.attempt,
        milliseconds: pause,
        reason: reasonOf(outcome),
      });
      if (!(await waitFor(this.#settings.clock, pause, [...signals, ...this.#shutdown.forPause]))) {
        throw this.#error(sending, { failure: new TransportFailure("cancelled", false) });
      }
      sending.spent += pause;
      sending.attempt += 1;
    }
  }

  /**
   * Waits before the caller reads whether a change with a lost response was executed.
   *
   * @throws CancelledError
   */
  async pauseBeforeVerify(
    lost: HttpError,
    milliseconds: number,
    attempt: number,
    signals: readonly AbortSignal[],
  ): Promise<void> {
    const { operation = "", method = "", path = "" } = lost;
    this.#emit({ type: "retry", operation, method, path, attempt, milliseconds, reason: lost.summary });
    if (await waitFor(this.#settings.clock, milliseconds, [...signals, ...this.#shutdown.forPause])) return;
    const request = { operation, method, path };
    throw new CancelledError({
      code: "cancelled",
      what: "the operation was cancelled",
      request,
      mayHaveBeenDone: true,
    });
  }

  /** Waits before a repeated read. Returns false if a signal or the end of the run stops the wait. */
  pause(milliseconds: number, signals: readonly AbortSignal[]): Promise<boolean> {
    return waitFor(this.#settings.clock, milliseconds, [...signals, ...this.#shutdown.forPause]);
  }

  /** Closes the connections after the requests in flight have ended. */
  async close(): Promise<void> {
    const dispatcher = this.#dispatcher;
    this.#dispatcher = undefined;
    await dispatcher?.close();
    this.#shutdown.close();
  }

  async #attempt(sending: Sending): Promise<AttemptOutcome> {
    const { requestTimeout, totalTimeout, maxAnswerBytes } = this.#settings;
    const { info, signals, isBodyRead = true } = sending.prepared;
    const { operation, method, path } = info;
    const event = { operation, method, path, attempt: sending.attempt };
    try {
      const maxPause = totalTimeout - sending.spent;
      const acquire = () =>
        this.#permits.acquire(concat(signals, this.#shutdown.forPermit(method)), turnOf(sending), maxPause);
      let permit = await acquire();
      const gate = sending.prepared.isUnheld === true ? undefined : this.#settings.gate;
      for (let hold = gate?.enter(); hold !== undefined; hold = gate?.enter()) {
        permit.release();
        await hold;
        permit = await acquire();
      }
      let received: number | undefined;
      sending.spent += permit.waited;
      const start = performance.now();
      try {
        this.#emit({ ...event, type: "request" });
        this.#dispatcher ??= this.#settings.open();
        const timeout = Math.min(requestTimeout, totalTimeout - sending.spent);
        const requestSignals = concat(signals, this.#shutdown.forRequest(method));
        const limits = { timeout, maxAnswerBytes, isBodyRead, signals: requestSignals };
        const answer = await exchange(this.#dispatcher, sending.request, limits);
        const milliseconds = performance.now() - start;
        const { status, headers } = answer;
        received = status;
        const now = this.#settings.clock.now();
        const { "ratelimit-remaining": remaining, "ratelimit-reset": reset, date } = headers;
        const rateLimit = readRateLimit({ remaining, reset, date }, now);
        const pause = status === 429 ? announcedPause(answer, now) : undefined;
        permit.release({ operation, status, rateLimit, pause, milliseconds });
        this.#emit({ ...event, type: "answer", status, milliseconds });
        return { answer };
      } finally {
        sending.spent += performance.now() - start;
        gate?.leave(received);
        permit.release();
      }
    } catch (error) {
      if (error instanceof TransportFailure) return { failure: error };
      throw error;
    }
  }

  #followRedirect(sending: Sending, answer: HttpResponse): void {
    const { root, redact, maxRedirects } = this.#settings;
    const { request, prepared } = sending;
    const { info } = prepared;
    sending.redirects += 1;
    if (sending.redirects > maxRedirects)
      throw refusedRedirect(answer, info, `the service redirected more than ${maxRedirects} times`);
    const target = redirectTarget(answer, request.target, root, info, redact);
    const to = redact(target.slice(root.prefix.length).replace(/\?.*$/, ""));
    this.#emit({ type: "redirect", ...info, attempt: sending.attempt, to });
    sending.request = { ...request, target };
  }

  #error({ prepared, isLost, lastRefusal }: Sending, { answer, failure }: AttemptOutcome): HttpError {
    const { info } = prepared;
    const response = answer ?? (failure.reason === "rate_limited" ? lastRefusal : undefined);
    return response
      ? statusError(response, info, isLost, this.#settings)
      : connectionError(failure!, info, isLost);
  }

  #emit(event: ClientEvent): void {
    this.#settings.onEvent?.(event);
  }
}

function turnOf({ lastRefusal, prepared }: Sending): Turn {
  if (lastRefusal !== undefined) return "refused";
  return prepared.isUrgent === true ? "urgent" : "usual";
}

const concat = (some: readonly AbortSignal[], others: readonly AbortSignal[]): readonly AbortSignal[] => {
  if (others.length === 0) return some;
  return some.length === 0 ? others : [...some, ...others];
};

const reasonOf = ({ answer, failure }: AttemptOutcome): string =>
  answer ? `the service responded with ${answer.status}` : describeCause(failure);

/** Waits for a number of milliseconds. Returns false if a signal fires before the end. */
function waitFor(clock: Clock, milliseconds: number, signals: readonly AbortSignal[]): Promise<boolean> {
  if (isAnyAborted(signals)) return Promise.resolve(false);
  if (milliseconds === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (isElapsed: boolean) => {
      cancel();
      stopListening();
      resolve(isElapsed);
    };
    const cancel = clock.after(milliseconds, () => end(true));
    const stopListening = onAnyAbort(signals, () => end(false));
  });
}
