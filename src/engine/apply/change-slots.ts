/**
 * Places for work that runs at the same time; what finds none waits for its turn. Those who wait begin in groups, so that
 * what they write first is written together.
 */
export class Slots {
  readonly #waiting = new Set<() => void>();

  /** @param group as many places must be free before those who wait begin */
  constructor(
    private free: number,
    private readonly group = 1,
  ) {}

  async during<R>(work: () => Promise<R>): Promise<R> {
    if (this.#waiting.size === 0 && this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.add(resolve));
    try {
      return await work();
    } finally {
      this.free += 1;
      if (this.free >= this.group) this.#startNext();
    }
  }

  #startNext(): void {
    for (const start of this.#waiting) {
      if (this.free === 0) return;
      this.free -= 1;
      this.#waiting.delete(start);
      start();
    }
  }
}
