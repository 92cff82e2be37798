/** The context of a call. */
export interface CallContext {
  /**
   * Aborts when the response is no longer needed: the client cancels or disconnects, or the deadline passes.
   */
  readonly signal: AbortSignal;
}

/** One request, one response, both in bytes. A thrown error becomes an internal error. */
export interface Unary {
  readonly kind: "unary";
  readonly answer: (request: Buffer, context: CallContext) => Uint8Array | Promise<Uint8Array>;
}

/**
 * One request, any number of responses. The server takes the next one when the client has capacity, so that a
 * slow client bounds memory. On cancellation the server returns the iterator; a procedure that waits for
 * something else must watch the signal. A thrown error ends the stream as an internal error, after the
 * earlier responses.
 */
export interface ServerStreaming {
  readonly kind: "server-streaming";
  readonly answer: (request: Buffer, context: CallContext) => AsyncIterable<Uint8Array>;
}

/** A stream that stays open and silent until the client ends it. Received data is discarded. */
export interface Idle {
  readonly kind: "idle";
}

/** The handler of a path. */
export type Procedure = Unary | ServerStreaming | Idle;

/** Procedures by their paths, such as `/package.Service/Method`. */
export type Procedures = ReadonlyMap<string, Procedure>;
