/** Where a journal is kept: beside the state, under the state's lock. */
export interface JournalStore {
  /** The place, as messages name it: a path or an address without credentials. */
  readonly description: string;
  /**
   * The text of a journal that a run left behind; nothing where none did.
   *
   * @throws DiagnosticError when it is out of reach.
   */
  read(): Promise<string | undefined>;
  /**
   * Adds lines, and answers once they are durable. What failed leaves no part of a line behind.
   *
   * @param all every line that still counts, these included, for a place that can be written as a whole alone.
   * @throws DiagnosticError
   */
  append(lines: readonly string[], all: () => readonly string[]): Promise<void>;
  /** Puts these lines in the place of all that are there, in one step. @throws DiagnosticError */
  replace(lines: readonly string[]): Promise<void>;
  /** Lets go of what is open, and leaves the journal for the next run. */
  release(): Promise<void>;
  /** Ends the journal: all that it told is in the state. */
  clear(): Promise<void>;
}
