import type { Settings } from "node:http2";

const MIB = 2 ** 20;

/** Bytes of the largest request. Providers in Go accept as much. */
export const MAX_MESSAGE_SIZE = 256 * MIB;

/** What the server tells the client of its limits. */
export const SETTINGS: Settings = {
  /** Further calls wait in the client; one that sends them loses the connection. */
  maxConcurrentStreams: 250,
  /** Bytes of all headers of a request. */
  maxHeaderListSize: 16_384,
  /** Bytes of a request that may be under way. With the default of 64 KiB, large requests wait for window updates. */
  initialWindowSize: MIB,
};

/** Bytes under way of all requests of a connection. */
export const CONNECTION_WINDOW = 16 * MIB;

/**
 * Megabytes of answers that a client may leave unread before the server refuses new calls. Node's default of 10 is less than one
 * large answer.
 */
export const MAX_SESSION_MEMORY = 1024;

/**
 * How many more calls a client may give up than it gets answered. Calls that are begun and reset at once make work that the limit
 * of concurrent streams does not count.
 */
export const MAX_GIVEN_UP = 500;
