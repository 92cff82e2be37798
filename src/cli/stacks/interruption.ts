import type { Signal, Terminal } from "../terminal/terminal";

/** By which number a shell tells that a signal ended a program. */
const EXIT_CODES: Readonly<Record<Signal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Ends the process at once, as a program ends that knows nothing of signals. */
export const endBySignal = (terminal: Pick<Terminal, "abort">, signal: Signal): void =>
  terminal.abort(EXIT_CODES[signal]);

/**
 * What a signal does to a run: the first ends it gently, what was sent is awaited and saved. The second ends the process at
 * once, and the journal tells the next run what was under way.
 */
export class Interruption {
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #release: () => void;

  constructor(terminal: Pick<Terminal, "onInterrupt" | "abort">, notice: (text: string) => void) {
    this.#release = terminal.onInterrupt((signal) => {
      if (this.#stop.signal.aborted) {
        // Programs that this one started end with it.
        this.#abort.abort();
        return endBySignal(terminal, signal);
      }
      this.#stop.abort();
      notice("Stopping: what is under way is finished and saved. Another signal ends steward at once.");
    });
  }

  /** Aborted at the first signal: begin nothing more. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborted at the second, before the process ends: give up what is under way. */
  get abort(): AbortSignal {
    return this.#abort.signal;
  }

  close(): void {
    this.#release();
  }
}

/** Edits a state under a lock: the first signal ends the wait for the lock, and lets an edit that was begun end. */
export async function whileEditing<T>(
  terminal: Pick<Terminal, "err" | "onInterrupt" | "abort">,
  work: (notice: (text: string) => void, stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const notice = (text: string) => terminal.err.line(text);
  const interruption = new Interruption(terminal, notice);
  try {
    return await work(notice, interruption.stop);
  } finally {
    interruption.close();
  }
}
