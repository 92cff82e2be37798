import type { Dispatcher } from "undici";
import { onAnyAbort } from "./cancellation";
import type { Clock } from "./clock";
import { CancelledError, type HttpError, type RequestFacts } from "./errors";
import type { ClientEvent, EventListener } from "./events";
import { connectionError, describeCause } from "./failures";
import type { Home } from "./links";
import { isRedirect, redirectTarget, tooManyRedirects } from "./redirects";
import type { Outcome, RetryPolicy } from "./retry";
import { type RefusalRules, refusal } from "./statuses";
import { exchange, type HttpAnswer, type HttpRequest, isSuccess, TransportFailure } from "./transport";
import type { Turns } from "./turns";
import { WindDown } from "./wind-down";

/** A request that is ready to go, and what is the same for every try of it. */
export interface Prepared {
  readonly facts: RequestFacts;
  readonly request: HttpRequest;
  readonly isRepeatable: boolean;
  readonly signals: readonly AbortSignal[];
  /** The statuses whose answer the caller takes; those of success, where it is left out. */
  readonly accepts?: (status: number) => boolean;
  /** False where nobody reads the body of a success; left out, it is read whole. */
  readonly isBodyRead?: boolean;
}

export interface DeliverySettings extends RefusalRules {
  readonly home: Home;
  readonly retry: RetryPolicy;
  /** Redirects that one request follows within its home. */
  readonly maxRedirects: number;
  /** Milliseconds for one try. */
  readonly requestTimeout: number;
  /** Milliseconds for all tries and the pauses between them; announced ones, and waits for a turn, don't count. */
  readonly totalTimeout: number;
  readonly maxAnswerBytes: number;
  readonly open: () => Dispatcher;
  readonly clock: Clock;
  /** Once aborted no change is sent any more, and nothing is waited for but what was sent. */
  readonly stop?: AbortSignal | undefined;
  readonly onEvent: EventListener | undefined;
}

/** What has happened to one request so far. */
interface Progress {
  attempt: number;
  redirects: number;
  /** Milliseconds that count against the total time. */
  spent: number;
  /** The answer to the last try, where it was 429. */
  refused: HttpAnswer | undefined;
  /** A try was sent and never answered: the service may have done what it says. */
  wasLost: boolean;
}

/** Brings a request to the service and its answer back: turns, tries, pauses and redirects. */
export class Delivery {
  readonly #settings: DeliverySettings;
  readonly #turns: Turns;
  readonly #windDown: WindDown;
  #dispatcher: Dispatcher | undefined;

  constructor(settings: DeliverySettings, turns: Turns) {
    this.#settings = settings;
    this.#turns = turns;
    this.#windDown = new WindDown(settings.stop, settings.requestTimeout, () => turns.isPaused);
  }

  /** Gives the answer when its status is one that the caller takes, and throws what it means otherwise. */
  async deliver(prepared: Prepared): Promise<HttpAnswer> {
    const { facts, isRepeatable, signals, accepts = isSuccess } = prepared;
    const progress: Progress = { attempt: 1, redirects: 0, spent: 0, refused: undefined, wasLost: false };
    let { request } = prepared;
    for (;;) {
      const outcome = await this.#try(request, prepared, progress);
      const { answer, failure } = outcome;
      if (answer && accepts(answer.status)) return answer;
      if (answer && isRedirect(answer.status)) {
        request = this.#redirected(request, answer, facts, progress);
        continue;
      }
      if (failure?.reason !== "rate_limited") progress.refused = answer?.status === 429 ? answer : undefined;
      progress.wasLost ||= failure?.wasSent ?? false;
      const pause = this.#settings.retry(outcome, progress.attempt, isRepeatable);
      if (pause === undefined || progress.spent + pause >= this.#settings.totalTimeout) {
        throw this.#error(outcome, facts, progress);
      }
      this.#tell({
        type: "retry",
        ...facts,
        attempt: progress.attempt,
        milliseconds: pause,
        reason: reasonOf(outcome),
      });
      if (!(await elapsed(this.#settings.clock, pause, [...signals, ...this.#windDown.pauses]))) {
        throw this.#error({ failure: new TransportFailure("cancelled", false) }, facts, progress);
      }
      progress.spent += pause;
      progress.attempt += 1;
    }
  }

  /**
   * Waits before the caller looks whether a change was done that was sent for the `attempt`th time and whose answer was
   * lost. @throws CancelledError
   */
  async pauseBeforeLook(
    lost: HttpError,
    milliseconds: number,
    attempt: number,
    signals: readonly AbortSignal[],
  ): Promise<void> {
    const { operation = "", method = "", path = "" } = lost;
    this.#tell({ type: "retry", operation, method, path, attempt, milliseconds, reason: lost.summary });
    if (await elapsed(this.#settings.clock, milliseconds, [...signals, ...this.#windDown.pauses])) return;
    const request = { operation, method, path };
    throw new CancelledError({
      code: "cancelled",
      what: "the caller cancelled it",
      request,
      mayHaveBeenDone: true,
    });
  }

  /** Closes the connections once the requests under way have ended. */
  async close(): Promise<void> {
    const dispatcher = this.#dispatcher;
    this.#dispatcher = undefined;
    await dispatcher?.close();
    this.#windDown.close();
  }

  async #try(request: HttpRequest, prepared: Prepared, progress: Progress): Promise<Outcome> {
    const { requestTimeout, totalTimeout, maxAnswerBytes } = this.#settings;
    const { facts, signals, isBodyRead = true } = prepared;
    const event = { ...facts, attempt: progress.attempt };
    try {
      const patience = totalTimeout - progress.spent;
      const turn = await this.#turns.acquire(
        [...signals, ...this.#windDown.turns(request.method)],
        progress.refused !== undefined,
        patience,
      );
      progress.spent += turn.waited;
      const start = performance.now();
      try {
        this.#tell({ type: "request", ...event });
        this.#dispatcher ??= this.#settings.open();
        const timeout = Math.min(requestTimeout, totalTimeout - progress.spent);
        const ends = [...signals, ...this.#windDown.sent(request.method)];
        const limits = { timeout, maxAnswerBytes, isBodyRead, signals: ends };
        const answer = await exchange(this.#dispatcher, request, limits);
        const milliseconds = performance.now() - start;
        const { status, headers } = answer;
        turn.release({ operation: facts.operation, status, headers, milliseconds });
        this.#tell({ type: "answer", ...event, status, milliseconds });
        return { answer };
      } finally {
        progress.spent += performance.now() - start;
        turn.release();
      }
    } catch (error) {
      if (error instanceof TransportFailure) return { failure: error };
      throw error;
    }
  }

  #redirected(
    request: HttpRequest,
    answer: HttpAnswer,
    facts: RequestFacts,
    progress: Progress,
  ): HttpRequest {
    const { home, redact, maxRedirects } = this.#settings;
    progress.redirects += 1;
    if (progress.redirects > maxRedirects) throw tooManyRedirects(answer, facts, maxRedirects);
    const target = redirectTarget(answer, request.target, home, facts, redact);
    const to = redact(target.slice(home.prefix.length).replace(/\?.*$/, ""));
    this.#tell({ type: "redirect", ...facts, attempt: progress.attempt, to });
    return { ...request, target };
  }

  #error({ answer, failure }: Outcome, facts: RequestFacts, { wasLost, refused }: Progress): HttpError {
    const told = answer ?? (failure.reason === "rate_limited" ? refused : undefined);
    return told ? refusal(told, facts, wasLost, this.#settings) : connectionError(failure!, facts, wasLost);
  }

  #tell(event: ClientEvent): void {
    this.#settings.onEvent?.(event);
  }
}

const reasonOf = ({ answer, failure }: Outcome): string =>
  answer ? `the service answered ${answer.status}` : describeCause(failure);

/** Waits; false when a signal fired before the time was over. */
function elapsed(clock: Clock, milliseconds: number, signals: readonly AbortSignal[]): Promise<boolean> {
  if (signals.some((signal) => signal.aborted)) return Promise.resolve(false);
  if (milliseconds === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (isElapsed: boolean) => {
      forget();
      stopListening();
      resolve(isElapsed);
    };
    const forget = clock.after(milliseconds, () => end(true));
    const stopListening = onAnyAbort(signals, () => end(false));
  });
}
