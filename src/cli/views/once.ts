import type { Diagnostic } from "../../diagnostics";

/** Lets every diagnostic through once: a plan and its apply often meet the same problem. */
export class Once {
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
