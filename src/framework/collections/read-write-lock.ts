/**
 * Keeps the reading of a list apart from the writes that add to it or take from it. Pages are counted from the list's
 * start: between two of them such a write moves records onto a page that was read already.
 */
export class ReadWriteLock {
  readonly #reads = new Set<Promise<unknown>>();
  readonly #writes = new Set<Promise<unknown>>();

  /** Reads once the writes under way are answered; those that come meanwhile wait for it. */
  read<R>(read: () => Promise<R>): Promise<R> {
    return during(this.#reads, settled(this.#writes).then(read));
  }

  /** Writes when nothing is being read. The write itself must read nothing. */
  async write<R>(write: () => Promise<R>): Promise<R> {
    while (this.#reads.size > 0) await settled(this.#reads);
    return during(this.#writes, write());
  }
}

const settled = (work: Iterable<Promise<unknown>>): Promise<unknown> => Promise.allSettled([...work]);

function during<R>(pending: Set<Promise<unknown>>, work: Promise<R>): Promise<R> {
  const allSettled = work.finally(() => pending.delete(allSettled));
  pending.add(allSettled);
  return allSettled;
}
