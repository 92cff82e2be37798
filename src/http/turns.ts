import type { IncomingHttpHeaders } from "node:http";

/** The turn of one request, taken before it is sent and given back with what came of it. */
export interface Turn {
  /** Milliseconds of pauses that the service did not announce, which went by while it waited. */
  readonly waited: number;
  release(result?: TurnResult): void;
}

export interface TurnResult {
  readonly operation: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly milliseconds: number;
}

/** Decides when each request goes. */
export interface Turns {
  /** Whether no request may be sent at the moment: a pause is not over, or a limit is used up. */
  readonly isPaused: boolean;
  /**
   * Waits for a turn; `patience` is how many milliseconds of pauses that the service did not announce it may take.
   * Rejects with TransportFailure: `cancelled` when a signal fires first, `rate_limited` when it would take too long.
   */
  acquire(signals: readonly AbortSignal[], wasRefused: boolean, patience: number): Promise<Turn>;
}

/** Lets each request go at once. */
export const FREE_TURNS: Turns = {
  isPaused: false,
  acquire: () => Promise.resolve({ waited: 0, release() {} }),
};
