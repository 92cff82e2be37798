import { onAnyAbort } from "./cancellation";

/**
 * What a client still does once it is asked to stop. Nothing that changes anything is begun, and nobody waits for a turn, a
 * pause or a rate limit any more. What was sent is awaited; what is read to see what came of it may take as long as one request.
 */
export class WindDown {
  readonly #stop: AbortSignal | undefined;
  readonly #reads = new AbortController();
  readonly #stopListening: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param stop asks to stop; without it nothing ever does
   * @param patience milliseconds for what is read after that
   * @param isPaused whether requests wait for the end of a pause at this moment
   */
  constructor(stop: AbortSignal | undefined, patience: number, isPaused: () => boolean) {
    this.#stop = stop;
    if (stop === undefined) return;
    const begin = (): void => {
      if (isPaused()) this.#reads.abort();
      else this.#timer = setTimeout(() => this.#reads.abort(), patience).unref();
    };
    if (stop.aborted) begin();
    else this.#stopListening = onAnyAbort([stop], begin);
  }

  get #asked(): readonly AbortSignal[] {
    return this.#stop === undefined ? [] : [this.#stop];
  }

  /** Ends the wait for a turn. */
  turns(method: string): readonly AbortSignal[] {
    return method === "GET" ? this.sent(method) : this.#asked;
  }

  /** Ends what is under way. */
  sent(method: string): readonly AbortSignal[] {
    return method === "GET" && this.#stop !== undefined ? [this.#reads.signal] : [];
  }

  /** Ends the pause before a request is sent again, and whatever would be sent after it. */
  get pauses(): readonly AbortSignal[] {
    return this.#asked;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stopListening();
  }
}
