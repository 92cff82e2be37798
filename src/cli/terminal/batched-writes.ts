import type { Writable } from "node:stream";

/**
 * Collects the writes to several streams during one turn of the event loop and sends them as one. Writing
 * each of thousands of lines separately costs more than the changes themselves. The order over all streams is
 * kept.
 */
export class BatchedWrites {
  /** The stream of the buffered text. */
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

  /** Writes the buffered text. Also called before the process ends. */
  flush(): void {
    this.#open?.uncork();
    this.#open = undefined;
  }
}
