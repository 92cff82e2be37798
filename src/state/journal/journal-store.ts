/** Storage of a journal, beside the state and under its lock. */
export interface JournalStore {
  /** The location for messages: a path or a URL without credentials. */
  readonly description: string;
  /**
   * The journal that a run left behind, if any.
   *
   * @throws DiagnosticError if it is unreachable.
   */
  read(): Promise<string | undefined>;
  /**
   * Appends lines, and resolves once they are durable. A failure leaves no partial line.
   *
   * @param all every line that still counts, including these, for storage that can only be replaced.
   * @throws DiagnosticError
   */
  append(lines: readonly string[], all: () => readonly string[]): Promise<void>;
  /** Replaces all lines atomically. @throws DiagnosticError */
  replace(lines: readonly string[]): Promise<void>;
  /** Closes the journal and keeps it for the next run. */
  release(): Promise<void>;
  /** Removes the journal: the state contains everything. */
  clear(): Promise<void>;
}
