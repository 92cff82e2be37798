type Callback = () => void;

const NONE: readonly AbortSignal[] = [];

/** The callbacks for one signal, and the only listener that this module adds to the signal. */
interface Waiting {
  readonly callbacks: Set<Callback>;
  readonly callAll: Callback;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls `callback` when the signal fires. The returned function removes the callback.
 *
 * Thousands of calls can share one signal, and removing one of many EventTarget listeners is slow. Each signal
 * therefore gets a single listener, with a set of callbacks. The last callback removes the listener, because Node.js
 * keeps a combined signal in memory while the signal has a listener.
 */
function onAbort(signal: AbortSignal, callback: Callback): () => void {
  const known = waiting.get(signal) ?? listenTo(signal);
  known.callbacks.add(callback);
  return () => {
    known.callbacks.delete(callback);
    if (known.callbacks.size > 0 || waiting.get(signal) !== known) return;
    waiting.delete(signal);
    signal.removeEventListener("abort", known.callAll);
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const callbacks = new Set<Callback>();
  const callAll = () => {
    for (const each of callbacks) each();
  };
  const created = { callbacks, callAll };
  signal.addEventListener("abort", callAll, { once: true });
  waiting.set(signal, created);
  return created;
}

const nothing = (): void => undefined;

export const isAnyAborted = (signals: readonly AbortSignal[]): boolean =>
  signals.length > 0 && signals.some(({ aborted }) => aborted);

/** Calls `callback` once, when the first of the signals fires. */
export function onAnyAbort(signals: readonly AbortSignal[], callback: Callback): () => void {
  if (signals.length < 2) return signals[0] === undefined ? nothing : onAbort(signals[0], callback);
  const removals = signals.map((signal) => onAbort(signal, callback));
  return () => {
    for (const remove of removals) remove();
  };
}

/**
 * Shuts a client down. After the stop signal, the client sends no change, and no request waits for a permit, a pause or
 * a rate limit. The client waits for requests in flight. After the stop signal, reads that verify a change may continue
 * for `maxReadTime`, the time of one request.
 */
export class Shutdown {
  readonly #reads = new AbortController();
  readonly #forReads = [this.#reads.signal];
  readonly #stopListening: () => void = nothing;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param stop the stop signal, if any
   * @param maxReadTime the time for reads after the signal, in milliseconds
   * @param isPaused returns whether requests are waiting for the end of a pause
   */
  constructor(
    private readonly stop: AbortSignal | undefined,
    maxReadTime: number,
    isPaused: () => boolean,
  ) {
    if (stop === undefined) return;
    const begin = (): void => {
      if (isPaused()) this.#reads.abort();
      else this.#timer = setTimeout(() => this.#reads.abort(), maxReadTime).unref();
    };
    if (stop.aborted) begin();
    else this.#stopListening = onAnyAbort([stop], begin);
  }

  /** Returns the signals that end the wait for a permit. */
  forPermit(method: string): readonly AbortSignal[] {
    return method === "GET" ? this.forRequest(method) : this.forPause;
  }

  /** Returns the signals that end a request in flight. */
  forRequest(method: string): readonly AbortSignal[] {
    return method === "GET" && this.stop !== undefined ? this.#forReads : NONE;
  }

  /** The signals that end the pause before a retry. After one of these signals, there are no more retries. */
  get forPause(): readonly AbortSignal[] {
    return this.stop === undefined ? NONE : [this.stop];
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stopListening();
  }
}
