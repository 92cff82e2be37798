import type { Version } from "../model/state-version";
import type { Change, IntentEntry, JournalEntry, JournalHead, StateEdit } from "./entries";
import type { JournalStore } from "./journal-store";
import { formatLine } from "./line-format";

/** Milliseconds for which a line without waiters is batched with others. */
const BATCH_DELAY = 50;

/** A line that is not durable yet. */
interface PendingLine {
  readonly line: string;
  /** This line is not awaited: it is written with the next awaited one. */
  readonly isDeferrable: boolean;
  readonly resolve: () => void;
  readonly reject: (problem: unknown) => void;
}

type WithoutNumber<E> = E extends unknown ? Omit<E, "n"> : never;

/**
 * The write-ahead journal of one run: intents are durable before their requests are sent, commits before
 * anything that depends on them. Lines of concurrent changes are written and synced together. A run without
 * changes has no journal.
 */
export class Journal {
  readonly #store: JournalStore;
  readonly #head: Omit<JournalHead, "states">;
  #saved: Version | null;
  #saving: Version | undefined;
  #count = 0;
  #hasIntents = false;
  #isHeadWritten = false;
  #queue: PendingLine[] = [];
  #writing: Promise<void> | undefined;
  #batchTimer: NodeJS.Timeout | undefined;
  /** The failure of a missing line. */
  #failure: { readonly problem: unknown } | undefined;
  /** Lines whose edits are not in the saved state, by the number of the intent. */
  readonly #unsaved = new Map<number, { readonly n: number; readonly line: string }[]>();
  readonly #pending = new Set<number>();
  /** Intents by the line number of their commit. */
  readonly #commits = new Map<number, number>();

  readonly #hasEarlierIntents: boolean;

  /**
   * @param state the state that the run started from.
   * @param pending pending intents of an earlier run, which are in the store already and stay pending.
   */
  constructor(
    store: JournalStore,
    lineage: string,
    state: Version | undefined,
    pending: readonly IntentEntry[] = [],
  ) {
    this.#store = store;
    this.#head = { kind: "head", format: 1, lineage, started: new Date().toISOString() };
    this.#saved = state ?? null;
    this.#hasEarlierIntents = pending.length > 0;
    this.#isHeadWritten = this.#hasEarlierIntents;
    for (const entry of pending) {
      this.#pending.add(entry.n);
      this.#unsaved.set(entry.n, [{ n: entry.n, line: formatLine(entry) }]);
      this.#count = entry.n;
    }
  }

  /** The number of lines; `saved` refers to it. */
  get position(): number {
    return this.#count;
  }

  /**
   * How much of the run the journal covers, for a run that could not save its state: a part if writing the
   * journal failed as well.
   */
  get coverage(): "nothing" | "all" | "part" {
    if (!this.#hasIntents) return "nothing";
    return this.#failure === undefined ? "all" : "part";
  }

  /** Records an intent; the request may be sent after this resolves. @throws DiagnosticError */
  async recordIntent(change: Change): Promise<number> {
    // The missing line may be a dependency of this change.
    if (this.#failure !== undefined) throw this.#failure.problem;
    this.#hasIntents = true;
    const n = this.#count + 1;
    this.#pending.add(n);
    try {
      await this.#record({ kind: "begun", change }, n);
    } catch (problem) {
      // The request is not sent, so nothing is pending.
      this.#pending.delete(n);
      this.#unsaved.delete(n);
      throw problem;
    }
    return n;
  }

  /**
   * Records a commit. It needs no waiting: a change that depends on it records its own intent behind this
   * line, and waits for that.
   */
  recordCommit(of: number, edits: readonly StateEdit[]): void {
    this.#pending.delete(of);
    this.#commits.set(this.#count + 1, of);
    this.#record({ kind: "ended", of, edits }, of, true).catch((problem: unknown) => {
      this.#failure ??= { problem };
    });
  }

  /** Waits until all lines are durable, or have failed. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#queue.length > 0) {
      this.#writing ??= this.#drainOnce();
      await this.#writing;
    }
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
  }

  /** Records the version of the state that is about to be saved. A failure does not prevent the save. */
  async recordSave(state: Version): Promise<void> {
    if (!this.#hasIntents && !this.#hasEarlierIntents) return;
    this.#saving = state;
    await this.#record({ kind: "saving", state }, undefined).catch(() => undefined);
  }

  /** The saved state contains the edits of all lines up to this one. */
  saved(position: number): void {
    this.#saved = this.#saving ?? this.#saved;
    this.#saving = undefined;
    for (const [n, of] of this.#commits) {
      if (n > position) break;
      this.#unsaved.delete(of);
      this.#commits.delete(n);
    }
  }

  /** Ends the journal if the state contains everything; otherwise pending intents stay for the next run. */
  async close(): Promise<void> {
    if (!this.#hasIntents && !this.#hasEarlierIntents) return;
    await this.flush();
    if (this.#pending.size === 0) await this.#store.clear();
    else await this.#store.release();
  }

  /** Leaves the journal to the next run, because the state could not be saved. */
  async leave(): Promise<void> {
    await this.flush();
    await this.#store.release();
  }

  #record(
    entry: WithoutNumber<JournalEntry>,
    about: number | undefined,
    isDeferrable = false,
  ): Promise<void> {
    const n = ++this.#count;
    const line = formatLine({ ...entry, n } as JournalEntry);
    if (about !== undefined) this.#unsaved.set(about, [...(this.#unsaved.get(about) ?? []), { n, line }]);
    return new Promise((resolve, reject) => {
      this.#queue.push({ line, isDeferrable, resolve, reject });
      if (!isDeferrable) this.#writing ??= this.#drainOnce();
      else this.#startBatchTimer();
    });
  }

  /** Written alone if no other line comes. */
  #startBatchTimer(): void {
    this.#batchTimer ??= setTimeout(() => {
      this.#batchTimer = undefined;
      if (this.#queue.length > 0) this.#writing ??= this.#drainOnce();
    }, BATCH_DELAY);
  }

  async #drainOnce(): Promise<void> {
    // Waits for further lines of this moment: many responses arrive at once.
    await new Promise((resolve) => setImmediate(resolve));
    await this.#drain();
    this.#writing = undefined;
    if (this.#queue.length > 0) this.#startBatchTimer();
  }

  async #drain(): Promise<void> {
    do {
      const batch = this.#queue.splice(0);
      try {
        await this.#write(batch.map(({ line }) => line));
        for (const { resolve } of batch) resolve();
      } catch (problem) {
        for (const { reject } of batch) reject(problem);
      }
    } while (this.#queue.some(({ isDeferrable }) => !isDeferrable));
  }

  async #write(lines: readonly string[]): Promise<void> {
    const head = formatLine(this.#currentHead());
    await this.#store.append(this.#isHeadWritten ? lines : [head, ...lines], () => [
      head,
      ...[...this.#unsaved.values()]
        .flat()
        .sort((one, other) => one.n - other.n)
        .map(({ line }) => line),
    ]);
    this.#isHeadWritten = true;
  }

  #currentHead(): JournalHead {
    const states = this.#saving === undefined ? [this.#saved] : [this.#saved, this.#saving];
    return { ...this.#head, states };
  }
}
