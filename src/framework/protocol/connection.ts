import type { Failures } from "./failures";

/** The connection of one run to its service, as a provider opens it. */
export interface Connection<Client = unknown> {
  /** What lifecycles send requests with. It sends nothing before the first real request. */
  readonly client: Client;
  /** Names the service, without credentials: two connections to one service give the same text. */
  readonly address: string;
  /** How often one change is sent at most. */
  readonly maxAttempts: number;
  /**
   * Waits before the caller looks whether a change was done whose answer was lost, `sent` counting how often it was sent;
   * false, without waiting, where no time is left for that.
   */
  pauseBeforeLook(problem: unknown, sent: number): Promise<boolean>;
  /** Closes the connections once the requests under way have ended. */
  close(): Promise<void>;
}

/** A client, and how to read what it throws. */
export interface Reach {
  readonly api: unknown;
  readonly failures: Failures;
}
