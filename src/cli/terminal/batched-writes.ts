import type { Writable } from "node:stream";

/**
 * Writes to several streams so that what is written in one round of the process's loop goes out as one: a line of its
 * own for each of thousands of changes costs more than the change. The order stays as it was written, over all streams.
 */
export class BatchedWrites {
  /** The stream that holds back what was written last. */
  #open: Writable | undefined;

  write(stream: Writable, text: string): void {
    if (this.#open !== stream) {
      this.flush();
      stream.cork();
      this.#open = stream;
      setImmediate(() => this.flush());
    }
    stream.write(text);
  }

  /** Writes what is held back: before the process ends, too. */
  flush(): void {
    this.#open?.uncork();
    this.#open = undefined;
  }
}
