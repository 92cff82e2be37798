/** An operation under way. */
export interface Run<Event, Result> {
  /**
   * What happens, in order, as it happens. A `for await` that begins in the same tick as the operation misses nothing;
   * what nobody iterates is not kept. The iteration ends with the operation, and never throws.
   */
  readonly events: AsyncIterable<Event>;
  /** What came of it. Rejects on an internal error alone: everything else is among the result's diagnostics. */
  readonly result: Promise<Result>;
}

/** Begins an operation in the next microtask, so that its events can be iterated from the first. */
export function startRun<Event, Result>(
  work: (emit: (event: Event) => void) => Promise<Result>,
): Run<Event, Result> {
  const events = new EventStream<Event>();
  const result = Promise.resolve()
    .then(() => work((event) => events.emit(event)))
    .finally(() => events.end());
  // Who iterates the events first comes to the result later: until then a rejection must not end the process.
  result.catch(() => undefined);
  return { events, result };
}

/** Passes events on to whoever iterates them; each iteration has a queue of its own. */
class EventStream<Event> implements AsyncIterable<Event> {
  readonly #queues = new Set<EventQueue<Event>>();
  #isEnded = false;

  emit(event: Event): void {
    for (const queue of this.#queues) queue.push(event);
  }

  end(): void {
    this.#isEnded = true;
    for (const queue of this.#queues) queue.end();
    this.#queues.clear();
  }

  [Symbol.asyncIterator](): AsyncIterator<Event> {
    const queue = new EventQueue<Event>(() => this.#queues.delete(queue));
    if (this.#isEnded) queue.end();
    else this.#queues.add(queue);
    return queue;
  }
}

class EventQueue<Event> implements AsyncIterator<Event> {
  readonly #events: Event[] = [];
  readonly #waiting: ((next: IteratorResult<Event>) => void)[] = [];
  readonly #release: () => void;
  #isEnded = false;

  constructor(release: () => void) {
    this.#release = release;
  }

  push(event: Event): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#events.push(event);
    else waiting({ value: event, done: false });
  }

  end(): void {
    this.#isEnded = true;
    for (const waiting of this.#waiting.splice(0)) waiting({ value: undefined, done: true });
  }

  next(): Promise<IteratorResult<Event>> {
    if (this.#events.length > 0) return Promise.resolve({ value: this.#events.shift()!, done: false });
    if (this.#isEnded) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<Event>> {
    this.#release();
    this.#events.length = 0;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }
}
