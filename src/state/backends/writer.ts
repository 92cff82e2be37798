import type { State } from "../model/model";
import type { StateBackend } from "./backend";

/** The clock and the alarm of a writer; tests bring their own. */
export interface WriterClock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  after(milliseconds: number, callback: () => void): () => void;
}

export interface StateWriterOptions {
  /** The least time between the end of a write and the beginning of the next, in milliseconds. */
  readonly intervalMs?: number;
  /** Told of a write that failed, when the one before it had not. */
  readonly onError?: (problem: unknown) => void;
  readonly clock?: WriterClock;
}

const systemClock: WriterClock = {
  now: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

const DEFAULT_INTERVAL_MS = 1000;
/** A write is followed by a pause of so many times its own length: however large the state, saving stays a twentieth of the run. */
const PAUSE_FACTOR = 19;

/**
 * Saves a state that changes all the time: many small changes become one write, one write runs at a time, and at
 * most one begins within a second. What a write does not reach yet is the journal's to keep.
 */
export class StateWriter {
  private readonly clock: WriterClock;
  private readonly intervalMs: number;
  private latest: (() => State) | undefined;
  private cancelAlarm: (() => void) | undefined;
  private running: Promise<void> | undefined;
  private nextAt = -Infinity;
  private failure: { readonly first: unknown; readonly unsaved: () => State } | undefined;

  constructor(
    private readonly backend: Pick<StateBackend, "write">,
    private readonly options: StateWriterOptions = {},
  ) {
    this.clock = options.clock ?? systemClock;
    this.intervalMs = options.intervalMs ?? DEFAULT_INTERVAL_MS;
  }

  /**
   * Says that the state has changed.
   *
   * @param snapshot gives the state to save; called when the write begins, so that it has every change up to then.
   */
  schedule(snapshot: () => State): void {
    this.latest = snapshot;
    if (this.running === undefined) this.setAlarm();
  }

  private setAlarm(): void {
    this.cancelAlarm ??= this.clock.after(Math.max(0, this.nextAt - this.clock.now()), () => {
      this.cancelAlarm = undefined;
      void this.save();
    });
  }

  /** Writes what was scheduled last. Never rejects: a failure is kept for `flush`. */
  private save(): Promise<void> {
    const snapshot = this.latest;
    if (snapshot === undefined) return this.running ?? Promise.resolve();
    this.latest = undefined;
    this.running = this.attempt(snapshot).finally(() => {
      this.running = undefined;
      if (this.latest !== undefined) this.setAlarm();
    });
    return this.running;
  }

  private async attempt(snapshot: () => State): Promise<void> {
    const start = this.clock.now();
    try {
      await this.backend.write(snapshot());
      this.failure = undefined;
    } catch (problem) {
      if (this.failure === undefined) this.options.onError?.(problem);
      this.failure = { first: this.failure?.first ?? problem, unsaved: snapshot };
    }
    const end = this.clock.now();
    this.nextAt = end + Math.max(this.intervalMs, (end - start) * PAUSE_FACTOR);
  }

  /**
   * Saves what is not saved yet, at once, and waits for it. What failed before is tried once more.
   *
   * @throws the first of the failures, when the state could not be saved in the end.
   */
  async flush(): Promise<void> {
    do {
      await this.running;
      this.cancelAlarm?.();
      this.cancelAlarm = undefined;
      this.latest ??= this.failure?.unsaved;
      await this.save();
    } while (this.latest !== undefined && this.failure === undefined);
    if (this.failure !== undefined) throw this.failure.first;
  }
}
