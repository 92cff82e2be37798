import type { Diagnostic } from "../../diagnostics";
import type { RequestEvent } from "../../framework";
import type { EngineEvent } from "../model/events";
import type { LoadEvent } from "../source/environment";

/** A running operation. */
export interface Run<Event, Result> {
  /**
   * The events in order. A `for await` that starts in the same tick as the operation receives all of them;
   * events without a consumer are dropped. The iteration ends with the operation and never throws.
   */
  readonly events: AsyncIterable<Event>;
  /** The result. Rejects only on an internal error: other errors are among the result's diagnostics. */
  readonly result: Promise<Result>;
}

/** Starts an operation in the next microtask, so that its first event can be received. */
export function startRun<Event, Result>(
  work: (emit: (event: Event) => void) => Promise<Result>,
): Run<Event, Result> {
  const events = new EventStream<Event>();
  const result = Promise.resolve()
    .then(() => work((event) => events.emit(event)))
    .finally(() => events.end());
  // A consumer may iterate the events before it awaits the result: a rejection must not end the process until
  // then.
  result.catch(() => undefined);
  return { events, result };
}

/** Delivers events to all iterations, each with its own queue. */
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
  #isEnded = false;

  constructor(private readonly release: () => void) {}

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
    this.release();
    this.#events.length = 0;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }
}

/** The events of a run over stacks, with sensitive values redacted. */
export type StacksEvent =
  | EngineEvent
  | LoadEvent
  /** The following events belong to this stack, one of `count`. */
  | { readonly kind: "stack"; readonly name: string | undefined; readonly count: number }
  | { readonly kind: "diagnostics"; readonly diagnostics: readonly Diagnostic[] }
  /** A transient message, such as whose lock the run waits for. */
  | { readonly kind: "notice"; readonly text: string }
  | { readonly kind: "request"; readonly request: RequestEvent };
