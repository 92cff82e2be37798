/** What a procedure may know of its call. */
export interface CallContext {
  /** Aborts when nobody waits for the answer any more: the client cancels or hangs up, or its deadline passes. */
  readonly signal: AbortSignal;
}

/** One request, one answer, both as bytes. Whatever it throws is answered as an internal error. */
export interface Unary {
  readonly kind: "unary";
  readonly answer: (request: Buffer, context: CallContext) => Uint8Array | Promise<Uint8Array>;
}

/**
 * One request, any number of answers. The server takes the next answer when the client has room for it, so a slow client bounds
 * what is in memory. When the client cancels, the server returns the iterator; a procedure that waits for something else has to
 * watch the signal. Whatever it throws ends the stream as an internal error, after the answers before it.
 */
export interface ServerStreaming {
  readonly kind: "server-streaming";
  readonly answer: (request: Buffer, context: CallContext) => AsyncIterable<Uint8Array>;
}

/** A stream that stays open and silent until the client ends it. What the client sends on it is discarded. */
export interface Idle {
  readonly kind: "idle";
}

/** What a server does when a client calls its path. */
export type Procedure = Unary | ServerStreaming | Idle;

/** Procedures by their paths, such as `/package.Service/Method`. */
export type Procedures = ReadonlyMap<string, Procedure>;
