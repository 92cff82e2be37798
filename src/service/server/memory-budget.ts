interface Waiting {
  readonly bytes: number;
  grant(): void;
}

/** Shares a number of bytes among requests: one that needs more than are free waits, in the order of arrival. */
export class MemoryBudget {
  #free: number;
  readonly #waiting: Waiting[] = [];

  constructor(readonly total: number) {
    this.#free = total;
  }

  /**
   * Asks for bytes; more than the whole budget count as all of it.
   *
   * @returns what resolves once they are granted, and the function that gives them back, or gives up the place in the queue.
   */
  take(bytes: number): { readonly granted: Promise<void>; release(): void } {
    const asked = Math.min(bytes, this.total);
    let held = false;
    let entry: Waiting | undefined;
    const granted = new Promise<void>((resolve) => {
      entry = {
        bytes: asked,
        grant: () => {
          held = true;
          resolve();
        },
      };
      this.#waiting.push(entry);
    });
    this.#grant();
    return {
      granted,
      release: () => {
        const place = this.#waiting.indexOf(entry!);
        if (place >= 0) this.#waiting.splice(place, 1);
        if (held) this.#free += asked;
        held = false;
        this.#grant();
      },
    };
  }

  #grant(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && next.bytes <= this.#free;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#free -= next.bytes;
      next.grant();
    }
  }
}
