import type { Diagnostic } from "../../diagnostics";

/** Passes each diagnostic once: a plan and its apply often report the same problem. */
export class Deduplicator {
  readonly #seen = new Set<string>();

  filter(diagnostics: readonly Diagnostic[]): Diagnostic[] {
    return diagnostics.filter((diagnostic) => {
      const key = JSON.stringify(diagnostic);
      const isNew = !this.#seen.has(key);
      this.#seen.add(key);
      return isNew;
    });
  }

  reset(): void {
    this.#seen.clear();
  }
}
