import { FACTS, SLOTS, type Values } from "./settings";

/** A commit with the values that its files declare, and its parent commit. */
export interface Commit {
  readonly sha: string;
  readonly values: Values;
  readonly parent: Commit | undefined;
}

/** The commits of a story. A commit has values instead of files, so a merge never has conflicts. */
export class Repository {
  /** The commits of the default branch, oldest first. */
  readonly main: Commit[];
  #commits = 0;

  constructor() {
    // The first commit declares nothing.
    this.main = [{ sha: this.#sha(), values: {}, parent: undefined }];
  }

  /**
   * Returns the commit before the given commit on the default branch. In a real pipeline, the platform reports this
   * commit for each push.
   */
  before(commit: Commit): Commit {
    return this.main[Math.max(0, this.main.indexOf(commit) - 1)]!;
  }

  get head(): Commit {
    return this.main.at(-1)!;
  }

  /** Makes a commit with a given parent. */
  commit(parent: Commit, changes: Values): Commit {
    return { sha: this.#sha(), values: { ...parent.values, ...changes }, parent };
  }

  /** Returns the values that a branch changes. */
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
