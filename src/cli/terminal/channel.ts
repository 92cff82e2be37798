import { colouredLine, oneLine } from "../../text";

/** What is known of a channel beside what is written to it. */
interface Reader {
  /** Whether a person watches it. */
  readonly isTerminal: boolean;
  /** Columns of the terminal, where it is one. */
  readonly columns?: number | undefined;
}

/**
 * One of the two ways out to whoever started steward. It takes whole lines, and makes each safe, so that no view has to
 * think of it: what stands inside of a line stays on it, steers no terminal and is obeyed by no CI system.
 */
export class Channel {
  readonly #write: (text: string) => void;
  readonly #reader: Reader;

  constructor(write: (text: string) => void, reader: Reader = { isTerminal: false }) {
    this.#write = write;
    this.#reader = reader;
  }

  get isTerminal(): boolean {
    return this.#reader.isTerminal;
  }

  get columns(): number | undefined {
    return this.#reader.columns;
  }

  line(text: string): void {
    this.lines([text]);
  }

  lines(lines: readonly string[]): void {
    if (lines.length > 0) this.#write(`${lines.map(this.isTerminal ? colouredLine : oneLine).join("\n")}\n`);
  }

  /** Writes a text byte for byte, without a line end: for a value that is asked for in this form and no other. */
  exact(text: string): void {
    this.#write(text);
  }
}
