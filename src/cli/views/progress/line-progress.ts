import type { EngineEvent } from "../../../engine";
import { oneLine } from "../../../text";
import type { Wait } from "../../stacks/waits";
import type { Channel } from "../../terminal/channel";
import { describeFully, describeWait } from "../event-lines";
import { PhaseCount } from "./phase-count";
import type { Progress } from "./progress";

/** The interval between progress lines of a long phase. */
const INTERVAL_MS = 5000;

/** Calls back periodically until the returned function is called. */
export type Every = (milliseconds: number, callback: () => void) => () => void;

const every: Every = (milliseconds, callback) => {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
};

/**
 * Progress without animation: a line when a change starts and completes, and periodic lines for long phases.
 */
export class LineProgress implements Progress {
  readonly #channel: Pick<Channel, "line">;
  readonly #every: Every;
  readonly #count: PhaseCount;
  #cancel: (() => void) | undefined;

  constructor(channel: Pick<Channel, "line">, repeat: Every = every, now: () => number = Date.now) {
    this.#channel = channel;
    this.#every = repeat;
    this.#count = new PhaseCount(now);
  }

  event(event: Exclude<EngineEvent, { kind: "warned" }>): void {
    this.#cancel ??= this.#every(INTERVAL_MS, () => this.#line(this.#count.describe()));
    if (event.kind === "progress") this.#count.update(event);
    else if (event.kind === "settled" || event.kind.startsWith("apply_")) this.#line(describeFully(event));
  }

  requested(): void {
    this.#count.requested();
  }

  waiting(wait: Wait): void {
    this.#line(describeWait(wait));
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #line(text: string): void {
    this.#channel.line(oneLine(text));
  }
}
