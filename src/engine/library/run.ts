import { EventEmitter, on } from "node:events";
import type { Diagnostic } from "../../diagnostics";
import type { RequestEvent } from "../../framework";
import type { EngineEvent } from "../results/events";
import type { LoadEvent } from "../stack-run/context";

/** A running operation. */
export interface Run<Event, Result> {
  /**
   * The events, in order. A `for await` that starts in the same tick as the operation receives all events. Events
   * without a consumer are dropped. The iteration ends with the operation, and never throws.
   */
  readonly events: AsyncIterable<Event>;
  /** The result. The promise rejects only on an internal error. All other errors are in the diagnostics of the result. */
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
  // A consumer can iterate over the events before it awaits the result. Until then, a rejection must not end the process.
  result.catch(() => undefined);
  return { events, result };
}

/** Delivers events to all iterations. Each iteration has a separate queue. */
class EventStream<Event> implements AsyncIterable<Event> {
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  #isEnded = false;

  emit(event: Event): void {
    this.#emitter.emit("event", event);
  }

  end(): void {
    this.#isEnded = true;
    this.#emitter.emit("end");
  }

  [Symbol.asyncIterator](): AsyncIterator<Event> {
    return received<Event>(this.#isEnded ? [] : on(this.#emitter, "event", { close: ["end"] }));
  }
}

async function* received<Event>(all: AsyncIterable<unknown[]> | unknown[][]): AsyncGenerator<Event> {
  for await (const [event] of all) yield event as Event;
}

/** The events of a run over stacks, with sensitive values redacted. */
export type StacksEvent =
  | EngineEvent
  | LoadEvent
  /** All following events belong to the stack `name`. `count` is the number of stacks in the run. */
  | { readonly kind: "stack"; readonly name: string | undefined; readonly count: number }
  | { readonly kind: "diagnostics"; readonly diagnostics: readonly Diagnostic[] }
  /** A message that is useful only while the run waits, such as the holder of the lock. */
  | { readonly kind: "notice"; readonly text: string }
  | { readonly kind: "request"; readonly request: RequestEvent };
