/** How many requests may be under way at the same time. */
export interface Width {
  readonly current: number;
  /** After an answer: how long it took, for which operation, and whether requests were waiting for a turn. */
  answered(operation: string, milliseconds: number, isCrowded: boolean): void;
  /** The service said that it is too much. */
  halve(): void;
}

export const fixedWidth = (width: number): Width => ({ current: width, answered() {}, halve() {} });

/** Requests at the same time at first, when their number adapts by itself. */
export const FIRST_WIDTH = 10;
/** Requests at the same time at the most, when their number adapts by itself. */
export const WIDEST = 50;

interface Times {
  /** The time of an answer when the service has nothing else to do, as far as seen. */
  best: number;
  recent: number;
}

/**
 * Grows by one with each answer that came as fast as ever while others waited, shrinks slowly when answers get
 * slow, and halves when the service refuses. Each operation is compared with itself: a page of a hundred
 * records takes longer than a single one without the service being slow.
 */
export class AdaptiveWidth implements Width {
  #width = FIRST_WIDTH;
  readonly #times = new Map<string, Times>();

  get current(): number {
    return Math.floor(this.#width);
  }

  answered(operation: string, milliseconds: number, isCrowded: boolean): void {
    const { best, recent } = this.#remember(operation, milliseconds);
    if (recent <= 2 * best + 25) {
      if (isCrowded) this.#width = Math.min(WIDEST, this.#width + 1);
    } else if (recent > 4 * best + 100) {
      this.#width = Math.max(FIRST_WIDTH / 2, this.#width - 1 / this.#width);
    }
  }

  halve(): void {
    this.#width = Math.max(1, this.#width / 2);
  }

  #remember(operation: string, milliseconds: number): Times {
    const times = this.#times.get(operation);
    if (!times) {
      const first = { best: milliseconds, recent: milliseconds };
      this.#times.set(operation, first);
      return first;
    }
    times.recent += (milliseconds - times.recent) * 0.2;
    // Forgets slowly, so that a service that became slower for good is not held to its past.
    times.best = Math.min(milliseconds, times.best + (milliseconds - times.best) * 0.01);
    return times;
  }
}
