import type { Settings } from "node:http2";

const MIB = 2 ** 20;

/** The largest request, in bytes. Providers in Go take as much. */
export const MAX_MESSAGE_SIZE = 256 * MIB;

/** What a client may use of one connection. More streams wait in the client; whatever else exceeds this ends the connection. */
export const SETTINGS: Settings = {
  maxConcurrentStreams: 250,
  /** Bytes of all headers of a request, each with 32 on top. */
  maxHeaderListSize: 16_384,
  /** Bytes of a request that may be under way before they are looked at: with the default of 64 KiB large ones wait for leave. */
  initialWindowSize: MIB,
};

/** The same for all requests of a connection together. */
export const CONNECTION_WINDOW = 16 * MIB;

/**
 * Megabytes of answers that a client may leave unread: while there are more, new requests are refused. Node's default of 10
 * is less than one large answer.
 */
export const MAX_SESSION_MEMORY = 1024;

/**
 * How many calls a client may give up before their answers, more than it takes answers for: whoever begins calls and resets
 * them makes work that no limit on open streams counts.
 */
export const MAX_GIVEN_UP = 500;
