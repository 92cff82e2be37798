import { isSameVersion, type Version } from "../model/model";
import {
  type Change,
  formatKept,
  formatLine,
  type IntentEntry,
  type JournalEntry,
  type JournalHead,
  type JournalStore,
  type StateEdit,
} from "./entries";

/**
 * The maximum time in milliseconds that a line without a waiting caller stays queued, so that several lines are written
 * at once.
 */
const BATCH_DELAY = 50;

/** A line that is not durable yet. */
interface PendingLine extends NumberedLine {
  readonly entry: JournalEntry;
  /** Whether no caller awaits this line. A line that no caller awaits is written with the next awaited line. */
  readonly isDeferrable: boolean;
  readonly resolve: () => void;
  readonly reject: (problem: unknown) => void;
}

interface NumberedLine {
  readonly n: number;
  /** The text of the line, once it was written. */
  line?: string;
}

type WithoutNumber<E> = E extends unknown ? Omit<E, "n"> : never;

/**
 * The write-ahead journal of one run. An intent is durable before its request is sent. A commit is durable before any
 * change that depends on it. All lines of concurrent changes are written and synced at once. A run without changes has
 * no journal.
 */
export class Journal {
  readonly #head: Omit<JournalHead, "states">;
  /**
   * The versions of the state that may be on disk: the last saved version, and the versions whose saves began after that save.
   */
  #states: readonly (Version | null)[];
  #count = 0;
  #hasIntents = false;
  #isHeadWritten = false;
  #queue: PendingLine[] = [];
  #writing: Promise<void> | undefined;
  #batchTimer: NodeJS.Timeout | undefined;
  /** The first failure to write a commit. The line of this commit is missing in the journal. */
  #failure: { readonly problem: unknown } | undefined;
  /** The lines of changes that the saved state does not contain yet, by the line number of the intent. */
  readonly #unsaved = new Map<number, NumberedLine[]>();
  readonly #pending = new Set<number>();
  /** The line number of each intent, by the line number of its commit. */
  readonly #commits = new Map<number, number>();

  readonly #hasEarlierIntents: boolean;

  /**
   * @param state the state from which the run started
   * @param pending the pending intents of an earlier run; the store already contains them, and they stay pending
   */
  constructor(
    private readonly store: JournalStore,
    lineage: string,
    state: Version | undefined,
    pending: readonly IntentEntry[] = [],
  ) {
    this.#head = { kind: "head", format: 1, lineage, started: new Date().toISOString() };
    this.#states = [state ?? null];
    this.#hasEarlierIntents = pending.length > 0;
    this.#isHeadWritten = this.#hasEarlierIntents;
    for (const entry of pending) {
      this.#pending.add(entry.n);
      this.#unsaved.set(entry.n, [{ n: entry.n, line: formatKept(entry) }]);
      this.#count = entry.n;
    }
  }

  /**
   * The number of lines that were recorded. The caller passes this number to `saved` after the state with these changes
   * is saved.
   */
  get position(): number {
    return this.#count;
  }

  /**
   * Whether the journal contains all, some or none of the run's changes, for the error after a failed save of the state. The
   * result is `part` if a write of the journal failed too.
   */
  get coverage(): "nothing" | "all" | "part" {
    if (!this.#hasIntents) return "nothing";
    return this.#failure === undefined ? "all" : "part";
  }

  /**
   * Records an intent, and returns the number of its line. The request may be sent after the promise is resolved.
   *
   * @throws DiagnosticError
   */
  async recordIntent(change: Change): Promise<number> {
    // A commit is missing in the journal. This change may depend on that commit, so the request of this change must not be
    // sent.
    if (this.#failure !== undefined) throw this.#failure.problem;
    this.#hasIntents = true;
    const n = this.#count + 1;
    this.#pending.add(n);
    try {
      await this.#record({ kind: "begun", change, at: new Date().toISOString() }, n);
    } catch (problem) {
      // The request is not sent, so this change is not pending.
      this.#pending.delete(n);
      this.#unsaved.delete(n);
      throw problem;
    }
    return n;
  }

  /**
   * Records a commit without waiting. A change that depends on the commit records its intent after this line, and waits until
   * that intent is on disk.
   */
  recordCommit(of: number, edits: readonly StateEdit[]): void {
    this.#pending.delete(of);
    this.#commits.set(this.#count + 1, of);
    this.#record({ kind: "ended", of, edits }, of, true).catch((problem: unknown) => {
      this.#failure ??= { problem };
    });
  }

  /** Waits until each recorded line is on disk, or its write has failed. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#queue.length > 0) {
      this.#writing ??= this.#drainOnce();
      await this.#writing;
    }
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
  }

  /**
   * Records the version of the state that is about to be saved. If the write fails, the journal repeats the write once,
   * because the cause can be temporary. A second failure does not prevent the save. Before the first intent, the
   * journal does not exist. The head of the journal, which is written with the first intent, then contains the version.
   */
  async recordSave(state: Version): Promise<void> {
    this.#states = [...this.#states, state];
    if (!this.#hasIntents && !this.#hasEarlierIntents) return;
    const record = () => this.#record({ kind: "saving", state }, undefined);
    await record().catch(() => record().catch(() => undefined));
  }

  /**
   * Records that the saved state contains the edits of all lines up to a position.
   *
   * @param state the version of the saved state; the version of an earlier save if nothing had changed since then
   */
  saved(position: number, state: Version | undefined): void {
    const at = this.#states.findIndex((one) => isSameVersion(one ?? undefined, state));
    this.#states = this.#states.slice(Math.max(at, 0));
    for (const [n, of] of this.#commits) {
      if (n > position) break;
      this.#unsaved.delete(of);
      this.#commits.delete(n);
    }
  }

  /** Deletes the journal if no intent is pending. Otherwise, the journal stays for the next run. */
  async close(): Promise<void> {
    if (!this.#hasIntents && !this.#hasEarlierIntents) return;
    await this.flush();
    if (this.#pending.size === 0) await this.store.clear();
    else await this.store.release();
  }

  /** Closes the journal and leaves it for the next run, because the state could not be saved. */
  async leave(): Promise<void> {
    await this.flush();
    await this.store.release();
  }

  #record(
    entry: WithoutNumber<JournalEntry>,
    about: number | undefined,
    isDeferrable = false,
  ): Promise<void> {
    const n = ++this.#count;
    return new Promise((resolve, reject) => {
      const line = { n, entry: { ...entry, n } as JournalEntry, isDeferrable, resolve, reject };
      if (about !== undefined) this.#unsaved.set(about, [...(this.#unsaved.get(about) ?? []), line]);
      this.#queue.push(line);
      if (!isDeferrable) this.#writing ??= this.#drainOnce();
      else this.#startBatchTimer();
    });
  }

  /** Starts the timer after which the queued lines are written, even if no other line comes. */
  #startBatchTimer(): void {
    this.#batchTimer ??= setTimeout(() => {
      this.#batchTimer = undefined;
      if (this.#queue.length > 0) this.#writing ??= this.#drainOnce();
    }, BATCH_DELAY);
  }

  async #drainOnce(): Promise<void> {
    // Many responses arrive at once, so further lines can follow immediately.
    await new Promise((resolve) => setImmediate(resolve));
    await this.#drain();
    this.#writing = undefined;
    if (this.#queue.length > 0) this.#startBatchTimer();
  }

  async #drain(): Promise<void> {
    do {
      const batch = this.#queue.splice(0);
      try {
        await this.#write(batch);
        for (const { resolve } of batch) resolve();
      } catch (problem) {
        for (const { reject } of batch) reject(problem);
      }
    } while (this.#queue.some(({ isDeferrable }) => !isDeferrable));
  }

  async #write(batch: readonly PendingLine[]): Promise<void> {
    const first = this.#isHeadWritten ? batch[0]!.n : 0;
    const lines = batch.map((one) => {
      one.line = formatLine(one.n === first ? one.entry : { ...one.entry, batch: first });
      return one.line;
    });
    // A store that appends needs the head only once.
    const current: JournalHead = { ...this.#head, states: this.#states };
    const head = () => formatLine(current);
    await this.store.append(this.#isHeadWritten ? lines : [head(), ...lines], () => [
      head(),
      ...[...this.#unsaved.values()]
        .flat()
        .sort((one, other) => one.n - other.n)
        .flatMap(({ line = [] }) => line),
    ]);
    this.#isHeadWritten = true;
  }
}
