import { FACTS, SLOTS, type Values } from "./settings";

/** A commit with its declared values, and the commit before it. */
export interface Commit {
  readonly sha: string;
  readonly values: Values;
  readonly parent: Commit | undefined;
}

/** The commits of a story. A commit is its values: there is no text to merge. */
export class Repository {
  /** The commits of the default branch, the newest last. */
  readonly main: Commit[];
  #commits = 0;

  constructor() {
    // Nothing is declared before the first request.
    this.main = [{ sha: this.#sha(), values: {}, parent: undefined }];
  }

  /** The commit before one of the default branch, as the platform gives it to a push. */
  before(commit: Commit): Commit {
    return this.main[Math.max(0, this.main.indexOf(commit) - 1)]!;
  }

  get head(): Commit {
    return this.main.at(-1)!;
  }

  /** A commit on top of another one. */
  commit(parent: Commit, changes: Values): Commit {
    return { sha: this.#sha(), values: { ...parent.values, ...changes }, parent };
  }

  /** The values that a branch changes. */
  changesOf({ base, head }: { readonly base: Commit; readonly head: Commit }): Values {
    return Object.fromEntries(
      [...SLOTS, ...FACTS]
        .filter((slot) => head.values[slot] !== base.values[slot])
        .map((slot) => [slot, head.values[slot] ?? ""]),
    );
  }

  #sha(): string {
    this.#commits += 1;
    return `${this.#commits.toString(16).padStart(4, "0")}${"c0ffee".repeat(6)}`;
  }
}
