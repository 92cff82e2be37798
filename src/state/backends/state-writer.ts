import type { State } from "../model/model";
import type { StateBackend } from "./backend";

/** Minimum time between two writes, in milliseconds. */
const INTERVAL_MS = 1000;
/**
 * The length of the pause after a write, as a multiple of the duration of the write. Saving then takes at most a twentieth of
 * the run.
 */
const PAUSE_FACTOR = 19;

/**
 * Saves a state that changes continuously. Changes are batched, writes are sequential, and at most one write starts per second.
 * The journal contains the changes that are not saved yet.
 */
export class StateWriter {
  private latest: (() => State) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private nextAt = -Infinity;
  private failure: { readonly first: unknown; readonly unsaved: () => State } | undefined;

  constructor(private readonly backend: Pick<StateBackend, "write">) {}

  /**
   * Schedules a save.
   *
   * @param snapshot returns the state to save; the writer calls it when the write starts, so that the state contains all changes
   * up to that time
   */
  schedule(snapshot: () => State): void {
    this.latest = snapshot;
    if (this.running === undefined) this.setTimer();
  }

  private setTimer(): void {
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        void this.save();
      },
      Math.max(0, this.nextAt - performance.now()),
    );
  }

  /** Writes the last scheduled state. Never rejects, because `flush` reports a failure. */
  private save(): Promise<void> {
    const snapshot = this.latest;
    if (snapshot === undefined) return this.running ?? Promise.resolve();
    this.latest = undefined;
    this.running = this.attempt(snapshot).finally(() => {
      this.running = undefined;
      if (this.latest !== undefined) this.setTimer();
    });
    return this.running;
  }

  private async attempt(snapshot: () => State): Promise<void> {
    const start = performance.now();
    try {
      await this.backend.write(snapshot());
      this.failure = undefined;
    } catch (problem) {
      this.failure = { first: this.failure?.first ?? problem, unsaved: snapshot };
    }
    const end = performance.now();
    this.nextAt = end + Math.max(INTERVAL_MS, (end - start) * PAUSE_FACTOR);
  }

  /**
   * Saves pending changes at once, and retries a failed write.
   *
   * @throws the first failure, if the state could not be saved at all
   */
  async flush(): Promise<void> {
    do {
      await this.running;
      clearTimeout(this.timer);
      this.timer = undefined;
      this.latest ??= this.failure?.unsaved;
      await this.save();
    } while (this.latest !== undefined && this.failure === undefined);
    if (this.failure !== undefined) throw this.failure.first;
  }
}
