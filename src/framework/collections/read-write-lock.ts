/**
 * Separates reads of a list from writes that add or remove records. Pages are offsets: a write between two of
 * them would shift records onto a page that was read already.
 */
export class ReadWriteLock {
  readonly #reads = new Set<Promise<unknown>>();
  readonly #writes = new Set<Promise<unknown>>();

  /** Reads after the writes in progress; later writes wait for it. */
  read<R>(read: () => Promise<R>): Promise<R> {
    return during(this.#reads, settled(this.#writes).then(read));
  }

  /** Writes when no read is in progress. The write itself must not read. */
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
