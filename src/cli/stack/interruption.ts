import type { Terminal } from "../terminal";

/** What Ctrl-C and SIGTERM do to a run: once ends it gently, twice gives up what is under way, a third time ends the process. */
export class Interruption {
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #release: () => void;

  constructor(terminal: Pick<Terminal, "onInterrupt" | "abort">, notice: (text: string) => void) {
    this.#release = terminal.onInterrupt(() => {
      if (this.#abort.signal.aborted) return terminal.abort(130);
      if (this.#stop.signal.aborted) {
        this.#abort.abort();
        return notice("Giving up what is under way. Once more ends steward at once.");
      }
      this.#stop.abort();
      notice("Stopping: what is under way is finished and saved. Once more gives it up.");
    });
  }

  /** Aborted at the first signal: begin nothing more. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborted at the second: give up what is under way. */
  get abort(): AbortSignal {
    return this.#abort.signal;
  }

  close(): void {
    this.#release();
  }
}
