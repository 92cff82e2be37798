import type { IncomingHttpHeaders } from "node:http";

/** The permission to send one request, released with its result. */
export interface Permit {
  /** Milliseconds of unannounced pauses while the request was queued. */
  readonly waited: number;
  release(result?: RequestResult): void;
}

export interface RequestResult {
  readonly operation: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly milliseconds: number;
}

/** Grants permits to requests. */
export interface Permits {
  /** Whether requests must wait: for the end of a pause, or because a limit is exhausted. */
  readonly isPaused: boolean;
  /**
   * Waits for a permit, through at most `maxPause` milliseconds of unannounced pauses. Rejects with
   * TransportFailure: `cancelled` when a signal fires first, `rate_limited` when it would take too long.
   */
  acquire(signals: readonly AbortSignal[], wasRefused: boolean, maxPause: number): Promise<Permit>;
}

/** Grants every permit at once. */
export const UNLIMITED: Permits = {
  isPaused: false,
  acquire: () => Promise.resolve({ waited: 0, release() {} }),
};
