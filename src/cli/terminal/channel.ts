import { colouredLine, oneLine } from "../../text";

/** The reading side of a channel. */
interface Reader {
  /** Whether the channel is a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal in columns, if it is one. */
  readonly columns?: number | undefined;
}

/**
 * Standard output or standard error. It accepts whole lines and makes each one safe to print, so that no view
 * has to: text inside a line can't start a new line, control a terminal or issue commands to a CI system.
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

  /** Writes a text byte for byte, without a line end, for values that were requested in raw form. */
  exact(text: string): void {
    this.#write(text);
  }
}
