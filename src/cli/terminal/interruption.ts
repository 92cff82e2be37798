import type { EditOptions } from "../../engine";
import { pipelineJob } from "./pipeline-job";
import type { Signal, Terminal } from "./terminal";

/** For each signal: the exit code with which shells report that the signal ended a process. */
const EXIT_CODES: Readonly<Record<Signal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Ends the process immediately, with the exit code for the signal. */
export const exitBySignal = (terminal: Pick<Terminal, "abort">, signal: Signal): void =>
  terminal.abort(EXIT_CODES[signal]);

/** The two abort signals for work in progress. Signals to the process, such as Ctrl-C, trigger these abort signals. */
interface Interruption {
  /** Aborted at the first Ctrl-C or other signal to the process. The work then begins nothing new. */
  readonly stop: AbortSignal;
  /**
   * Aborted at the second Ctrl-C or other signal to the process, just before the process ends. The work then cancels
   * everything.
   */
  readonly abort: AbortSignal;
}

const STOPPING = "Stopping after the requests in progress. A second signal exits immediately.";

/**
 * Handles signals during work. The first signal stops the work: requests in flight are completed and saved. The second signal
 * ends the process immediately; the journal keeps the changes in flight for the next run.
 *
 * @param describe returns the notice about the work that is completed before the run ends
 */
export async function interruptible<T>(
  terminal: Pick<Terminal, "onInterrupt" | "abort">,
  notice: (text: string) => void,
  work: (interruption: Interruption) => Promise<T>,
  describe = () => STOPPING,
): Promise<T> {
  const [stop, abort] = [new AbortController(), new AbortController()];
  const release = terminal.onInterrupt((signal) => {
    if (stop.signal.aborted) {
      // The abort also ends child processes, so it comes before the end of this process.
      abort.abort();
      return exitBySignal(terminal, signal);
    }
    stop.abort();
    notice(describe());
  });
  try {
    return await work({ stop: stop.signal, abort: abort.signal });
  } finally {
    release();
  }
}

/**
 * Runs an edit of a state. The edit needs the lock of this state. The first signal cancels the wait for the lock, but not an
 * edit that has begun.
 */
export function whileEditing<T>(
  operation: string,
  { lockTimeout: timeoutMs }: { readonly lockTimeout: number },
  terminal: Pick<Terminal, "env" | "err" | "onInterrupt" | "abort">,
  work: (options: EditOptions & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const onNotice = (text: string) => terminal.err.line(text);
  return interruptible(terminal, onNotice, ({ stop: signal }) =>
    work({ operation, info: pipelineJob(terminal.env), timeoutMs, onNotice, signal }),
  );
}
