import type { Version } from "../model/state-version";
import type { Begun, Change, Entry, Head, StateEdit } from "./entries";
import { formatLine } from "./lines";
import type { JournalStore } from "./store";

/** How long a line waits for others to go with, in milliseconds. */
const PATIENCE = 50;

/** A line that waits to be durable. */
interface Waiting {
  readonly line: string;
  /** Nobody waits for it: it goes with the next line that somebody waits for. */
  readonly isPatient: boolean;
  readonly resolve: () => void;
  readonly reject: (problem: unknown) => void;
}

type WithoutNumber<E> = E extends unknown ? Omit<E, "n"> : never;

/**
 * What one run is about to do and what it was answered, durable before anything rests on it. However many changes are
 * under way, lines that wait at the same time are written and synced together. A run that changes nothing has none.
 */
export class Journal {
  readonly #store: JournalStore;
  readonly #head: Omit<Head, "states">;
  #saved: Version | null;
  #announced: Version | undefined;
  #count = 0;
  #hasBegun = false;
  #isHeadWritten = false;
  #queue: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #patience: NodeJS.Timeout | undefined;
  /** Why a line is missing. */
  #failure: { readonly problem: unknown } | undefined;
  /** Lines whose edits the saved state lacks, by the number of what was begun. */
  readonly #unsaved = new Map<number, { readonly n: number; readonly line: string }[]>();
  readonly #open = new Set<number>();
  /** What ended, by the number of the line that says so. */
  readonly #ended = new Map<number, number>();

  readonly #keeps: boolean;

  /**
   * @param state the state that the run rests on.
   * @param kept what an earlier run left open, in the store already: it stays open, whatever this run does.
   */
  constructor(store: JournalStore, lineage: string, state: Version | undefined, kept: readonly Begun[] = []) {
    this.#store = store;
    this.#head = { kind: "head", format: 1, lineage, started: new Date().toISOString() };
    this.#saved = state ?? null;
    this.#keeps = kept.length > 0;
    this.#isHeadWritten = this.#keeps;
    for (const entry of kept) {
      this.#open.add(entry.n);
      this.#unsaved.set(entry.n, [{ n: entry.n, line: formatLine(entry) }]);
      this.#count = entry.n;
    }
  }

  /** How many lines there are: what `saved` goes by. */
  get position(): number {
    return this.#count;
  }

  /**
   * What a run that could not save its state has here: nothing where it sent nothing, a part where the journal could
   * not be written either.
   */
  get holds(): "nothing" | "all" | "part" {
    if (!this.#hasBegun) return "nothing";
    return this.#failure === undefined ? "all" : "part";
  }

  /** Notes what is about to be sent; it may be sent once this resolves. @throws DiagnosticError */
  async begin(change: Change): Promise<number> {
    // What it depends on may be in the line that could not be written.
    if (this.#failure !== undefined) throw this.#failure.problem;
    this.#hasBegun = true;
    const n = this.#count + 1;
    this.#open.add(n);
    try {
      await this.#note({ kind: "begun", change }, n);
    } catch (problem) {
      // Nothing is sent, so nothing can have been left open.
      this.#open.delete(n);
      this.#unsaved.delete(n);
      throw problem;
    }
    return n;
  }

  /**
   * Notes what came of it. Nobody has to wait for that: what depends on it begins with a line of its own, which stands
   * behind this one and is waited for.
   */
  end(of: number, edits: readonly StateEdit[]): void {
    this.#open.delete(of);
    this.#ended.set(this.#count + 1, of);
    this.#note({ kind: "ended", of, edits }, of, true).catch((problem: unknown) => {
      this.#failure ??= { problem };
    });
  }

  /** Waits until all lines are durable, or could not be written. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#queue.length > 0) {
      this.#writing ??= this.#drainOnce();
      await this.#writing;
    }
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  /** Notes that the state will be saved as this version. A save is worth more than the note of it, and goes on without. */
  async announce(state: Version): Promise<void> {
    if (!this.#hasBegun && !this.#keeps) return;
    this.#announced = state;
    await this.#note({ kind: "saving", state }, undefined).catch(() => undefined);
  }

  /** The saved state has the edits of all lines up to this one. */
  saved(position: number): void {
    this.#saved = this.#announced ?? this.#saved;
    this.#announced = undefined;
    for (const [n, of] of this.#ended) {
      if (n > position) break;
      this.#unsaved.delete(of);
      this.#ended.delete(n);
    }
  }

  /** Ends the journal once the state has everything; what may still have been done keeps it for the next run. */
  async close(): Promise<void> {
    if (!this.#hasBegun && !this.#keeps) return;
    await this.flush();
    if (this.#open.size === 0) await this.#store.clear();
    else await this.#store.release();
  }

  /** Leaves it to the next run, where the state could not be saved. */
  async leave(): Promise<void> {
    await this.flush();
    await this.#store.release();
  }

  #note(entry: WithoutNumber<Entry>, about: number | undefined, isPatient = false): Promise<void> {
    const n = ++this.#count;
    const line = formatLine({ ...entry, n } as Entry);
    if (about !== undefined) this.#unsaved.set(about, [...(this.#unsaved.get(about) ?? []), { n, line }]);
    return new Promise((resolve, reject) => {
      this.#queue.push({ line, isPatient, resolve, reject });
      if (!isPatient) this.#writing ??= this.#drainOnce();
      else this.#bePatient();
    });
  }

  /** What waits for others goes alone where none come. */
  #bePatient(): void {
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined;
      if (this.#queue.length > 0) this.#writing ??= this.#drainOnce();
    }, PATIENCE);
  }

  async #drainOnce(): Promise<void> {
    // Whoever else has something to note in this moment comes along: answers arrive many at once.
    await new Promise((resolve) => setImmediate(resolve));
    await this.#drain();
    this.#writing = undefined;
    if (this.#queue.length > 0) this.#bePatient();
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
    } while (this.#queue.some(({ isPatient }) => !isPatient));
  }

  async #write(lines: readonly string[]): Promise<void> {
    const head = formatLine(this.#headNow());
    await this.#store.append(this.#isHeadWritten ? lines : [head, ...lines], () => [
      head,
      ...[...this.#unsaved.values()]
        .flat()
        .sort((one, other) => one.n - other.n)
        .map(({ line }) => line),
    ]);
    this.#isHeadWritten = true;
  }

  #headNow(): Head {
    const states = this.#announced === undefined ? [this.#saved] : [this.#saved, this.#announced];
    return { ...this.#head, states };
  }
}
