import type { Settings } from "node:http2";

const MIB = 2 ** 20;

/** Maximum size of a request in bytes, the same as for providers in Go. */
export const MAX_MESSAGE_SIZE = 256 * MIB;

/** The limits announced to the client. */
export const SETTINGS: Settings = {
  /** The client queues further calls; one that sends them is disconnected. */
  maxConcurrentStreams: 250,
  /** Maximum size of a request's headers in bytes. */
  maxHeaderListSize: 16_384,
  /** Bytes in flight per request. With the default of 64 KiB, large requests wait for window updates. */
  initialWindowSize: MIB,
};

/** Bytes in flight for all requests of a connection. */
export const CONNECTION_WINDOW = 16 * MIB;

/**
 * Megabytes of unread responses before the server refuses new calls. Node's default of 10 is less than one
 * large response.
 */
export const MAX_SESSION_MEMORY = 1024;

/**
 * Maximum surplus of cancelled over completed calls. Calls that are reset at once cause work that the limit
 * of concurrent streams does not cover.
 */
export const MAX_CANCELLED = 500;
